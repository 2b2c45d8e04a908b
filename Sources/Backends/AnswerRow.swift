import Foundation
import SystemSupport
import UploadQueue

/// What a backend keeps of an answer beside its recording. Its presence says that the recording is there, whole.
struct AnswerRow: Encodable {
    /// The upload's own: the same however often it is sent.
    var id: String
    var session: String
    var question: String
    var part: Int
    var order: Int
    var attempt: Int
    var end: String
    /// Seconds.
    var duration: Double
    /// Seconds.
    var speech: Double
    var recording: Recording

    struct Recording: Encodable {
        /// Below the session: `responses/…`.
        var path: String
        var byteCount: Int
        var sha256: String
        var mediaType: String
    }

    init(_ upload: Upload, _ facts: AnswerFacts, _ file: UploadFile, path: String) {
        id = upload.id.name
        session = upload.session.id.name
        question = facts.question
        part = facts.part
        order = facts.order
        attempt = facts.attempt
        end = facts.end
        duration = facts.duration
        speech = facts.speech
        recording = Recording(
            path: path, byteCount: file.byteCount, sha256: file.sha256.lowercased(), mediaType: file.mediaType)
    }
}

/// What a backend keeps of a session's end.
struct CompletionRow: Encodable {
    var id: String
    var session: String
    var completedAt: String
    var outcome: String?
    var answers: Int
    var delivered: Int

    init(_ upload: Upload, _ facts: CompletionFacts) {
        id = upload.id.name
        session = upload.session.id.name
        completedAt = facts.completedAt
        outcome = facts.outcome
        answers = facts.answers
        delivered = facts.delivered
    }
}

/// What a backend keeps of a session.
struct SessionRow: Encodable {
    var id: String
    var name: String
    var format: String
    var paper: String
    var startedAt: String

    init(_ facts: SessionFacts) {
        id = facts.id.name
        name = facts.name
        format = facts.format
        paper = facts.paper
        startedAt = facts.startedAt
    }
}

extension Encodable {
    /// One line of JSON, or several for people; the same bytes for the same value.
    func json(forPeople: Bool = false) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if forPeople { encoder.outputFormatting.insert(.prettyPrinted) }
        // Only values that JSON cannot hold (an infinite number) fail.
        return Array((try? encoder.encode(self)) ?? Data()) + (forPeople ? [UInt8(ascii: "\n")] : [])
    }
}
