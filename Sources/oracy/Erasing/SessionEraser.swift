import Assessment
import Backends
import ExamCore
import FoundationEssentials
import SessionFolders
import SessionUploads
import SystemSupport
import UploadQueue

/// Erases sessions of a shelf, and their pending uploads.
struct SessionEraser {
    let shelf: SessionShelf
    let home = UploadsHome()

    /// Erases a session. The queue forgets it first, so that nothing more is sent. Copies that have arrived elsewhere
    /// stay there, and the report lists them.
    ///
    /// - Throws: The errors of `SessionShelf.erase`.
    func erase(_ folder: SessionFolder) throws(Problem) -> (SessionErasure, DeletionReport) {
        var sent: [DeletionReport.Sent] = []
        for destination in home.destinations() where !SessionSummary(folder).isInUse {
            do throws(Problem) {
                if let there = try forget(folder, at: destination) { sent.append(there) }
            } catch {
                // This is no reason to keep the recordings.
                complain("\(error.sentence); the upload queue still lists \(folder.name)")
            }
        }
        sent += DeletionReport.Sent.checked((try? folder.allTranscripts()) ?? [])
        sent += DeletionReport.Sent.assessed((try? folder.allFindings()) ?? [])
        let erasure = try shelf.erase(folder)
        return (erasure, DeletionReport(erasure, sent: sent))
    }

    private func forget(
        _ folder: SessionFolder, at destination: Destination
    ) throws(Problem) -> DeletionReport.Sent? {
        guard let id = try SessionDelivery.id(of: folder, at: destination.name) else { return nil }
        let queue = try home.queue(to: destination)
        let arrived = try queue.entries().filter { $0.upload?.session.id == id && $0.state == .delivered }
        try queue.forget(session: id)
        guard !arrived.isEmpty else { return nil }
        complain("\(folder.name): the copies sent to \(destination.place) are not erased there")
        let things = arrived.compactMap { entry in entry.upload.map { DeletionReport.Sent.Thing($0, entry.endedAt) } }
        return DeletionReport.Sent(place: destination.place, session: id.name, things: things)
    }
}

extension DeletionReport.Sent {
    /// The words that were sent to a grammar checker. Whether it keeps them is unknown here.
    fileprivate static func checked(_ transcripts: [AnswerTranscript]) -> [Self] {
        let sent = transcripts.flatMap { transcript in
            transcript.checks.compactMap { check in
                check.sentTo.map {
                    ($0, Thing(name: "the transcript of \(transcript.answer)", arrivedAt: transcript.writtenAt))
                }
            }
        }
        return byPlace(sent)
    }

    /// The data that third parties received to assess the session.
    fileprivate static func assessed(_ findings: [AssessorFinding]) -> [Self] {
        byPlace(
            findings.compactMap { finding in
                finding.sentTo.map { place in
                    let words = finding.words == nil ? "the recording" : "the words"
                    return (place, Thing(name: "\(words) of \(finding.answer)", arrivedAt: finding.saidAt))
                }
            })
    }

    private static func byPlace(_ sent: [(String, Thing)]) -> [Self] {
        Dictionary(grouping: sent, by: \.0).sorted { $0.key < $1.key }
            .map { Self(place: $0.key, things: $0.value.map(\.1)) }
    }
}

extension DeletionReport.Sent.Thing {
    fileprivate init(_ upload: Upload, _ arrivedAt: String?) {
        self.arrivedAt = arrivedAt
        switch upload.content {
        case .session: name = "the start of the session"
        case .completion: name = "the end of the session"
        case .submission: name = "a quiz"
        case .answer(let record, let file): (name, sha256) = (record.name, file.sha256)
        }
    }
}

extension SessionSummary {
    var isInUse: Bool { if case .inUse = state { true } else { false } }
}
