import ExamNode
import ExamStore
import Foundation
import Logging

/// A caller's access to a session: the caller's own, or another user's if the caller is a service or a teacher of the
/// session's group. Reading another user's session is recorded in the audit log before anything is read.
struct SessionAccess: Sendable {
    let services: Services

    /// The part that is read. A service gets the facts about recordings, but no voices.
    enum Matter: Equatable {
        case session, results, assessment, events, report, seal
        /// The recording of an answer, by the answer's name or id.
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

    /// Returns the rows of a session's owner, read-only if they are another user's.
    ///
    /// - Throws: `APIProblem`: 404 if the caller may not read it, `StoreError`.
    func reading(_ session: UUID, _ matter: Matter, by caller: Caller) async throws -> OwnedStore {
        let own = services.owned(by: caller.user)
        // The statements with which learners read their rows check the owner themselves.
        if caller.readers.isEmpty { return own }
        if try await own.session(session) != nil { return own }
        let readers = caller.readers.filter { $0.right != .service || !matter.isVoice }
        guard let (theirs, reader) = try await theirs(session, by: readers) else { throw APIProblem.missing("session") }
        try await note(matter.words, of: [(session, theirs.user)], by: reader)
        return theirs
    }

    /// Returns the rows of a session's owner and the first reader who may read them. Nil if none may. Nothing is
    /// recorded yet.
    func theirs(_ session: UUID, by readers: [Reader]) async throws(StoreError) -> (OwnedStore, Reader)? {
        for reader in readers {
            if let theirs = try await services.store.service.reading(session, by: reader) { return (theirs, reader) }
        }
        return nil
    }

    /// Records in the audit log and in the server's log that other users' data is about to be read.
    func note(_ words: String, of sessions: [(id: UUID, owner: UUID)], by reader: Reader) async throws(StoreError) {
        if sessions.isEmpty { return }
        try await services.store.service.note(reading: words, of: sessions, by: reader)
        log(words, of: sessions, by: reader)
    }

    /// Records the same once for each reader and session, for a list that is looked at again and again.
    func noteOnce(
        _ words: String, of sessions: [(id: UUID, owner: UUID)], by reader: Reader
    ) async throws(StoreError) {
        let new = try await services.store.service.noteOnce(reading: words, of: sessions, by: reader)
        log(words, of: new, by: reader)
    }

    private func log(_ words: String, of sessions: [(id: UUID, owner: UUID)], by reader: Reader) {
        for session in sessions {
            services.note(.readByAnother, session.id, ["role": "\(reader.right.name)", "what": "\(words)"])
        }
    }
}

extension Caller {
    /// The capacities in which the caller may read other users' sessions, the preferred one first.
    var readers: [Reader] {
        var readers: [Reader] = []
        if roles.contains(.teacher), !groups.isEmpty { readers.append(Reader(user, .teacher(of: groups))) }
        if roles.contains(.service) { readers.append(Reader(user, .service)) }
        return readers
    }
}
