import ExamStore
import Foundation
import Logging

/// Whose session it is for whoever asks: their own; or another's, which a teacher of its group or a service may read. That is a line of the
/// audit log before anything is read.
struct SessionAccess: Sendable {
    let services: Services

    /// What is read. A service is given what is known of recordings, and no voice.
    enum Matter: Equatable {
        case session, results, assessment, events, report, seal
        /// Of an answer, by its name or id.
        case recording(String)

        var words: String {
            switch self {
            case .session: "session"
            case .results: "results"
            case .assessment: "assessment"
            case .events: "results as they come"
            case .report: "report"
            case .seal: "seal"
            case .recording(let answer): "recording \(answer)"
            }
        }

        fileprivate var isVoice: Bool {
            switch self {
            case .report, .recording: true
            case .session, .results, .assessment, .events, .seal: false
            }
        }
    }

    /// The rows of a session's owner: to be read where they are another's.
    ///
    /// - Throws: `APIProblem`: 404 where it is not there for them; `StoreError`.
    func reading(_ session: UUID, _ matter: Matter, by caller: Caller) async throws -> OwnedStore {
        let own = services.owned(by: caller.user)
        // A learner's statements ask for the owner themselves.
        if caller.readers.isEmpty { return own }
        if try await own.session(session) != nil { return own }
        let readers = caller.readers.filter { $0.right != .service || !matter.isVoice }
        guard let (theirs, reader) = try await theirs(session, by: readers) else { throw APIProblem.missing("session") }
        try await note(matter.words, of: [(session, theirs.user)], by: reader)
        return theirs
    }

    /// The rows of a session's owner, and as whom they may be read: the first that may; nil where none may. Nothing is noted yet.
    func theirs(_ session: UUID, by readers: [Reader]) async throws(StoreError) -> (OwnedStore, Reader)? {
        for reader in readers {
            if let theirs = try await services.store.service.reading(session, by: reader) { return (theirs, reader) }
        }
        return nil
    }

    /// Writes into the audit log, and the server's own, that something of others' is about to be read.
    func note(_ words: String, of sessions: [(id: UUID, owner: UUID)], by reader: Reader) async throws(StoreError) {
        if sessions.isEmpty { return }
        try await services.store.service.note(reading: words, of: sessions, by: reader)
        for session in sessions {
            services.note(.readByAnother, session.id, ["role": "\(reader.right.name)", "what": "\(words)"])
        }
    }
}

extension Caller {
    /// As whom they may read sessions that are not theirs, the first first.
    var readers: [Reader] {
        var readers: [Reader] = []
        if roles.contains(.teacher), !groups.isEmpty { readers.append(Reader(user, .teacher(of: groups))) }
        if roles.contains(.service) { readers.append(Reader(user, .service)) }
        return readers
    }
}
