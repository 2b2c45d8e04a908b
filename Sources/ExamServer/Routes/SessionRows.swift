import BackendAPI
import ExamCore
import ExamNode
import ExamStore
import Foundation
import ServerWork
import Study
import SystemSupport

/// Validation of clients' sessions and answers before they are stored.
extension SessionRow {
    /// Returns the session.
    ///
    /// - Throws: `APIProblem` 400 with the field.
    func session(_ id: UUID) throws(APIProblem) -> TestSession {
        guard self.id.id == id else { throw .contradictory("id: differs from the session in the address.") }
        try Field.text(name, "name", atMost: 200)
        try Field.text(format, "format", atMost: 100)
        try Field.text(paper, "paper", atMost: 100)
        return TestSession(
            id: id, name: name, format: format, paper: paper, templateID: TemplateIDs.template(format, paper),
            startedAt: try Field.moment(startedAt, "startedAt"))
    }
}

extension AnswerRow {
    /// Returns the answer.
    ///
    /// - Throws: `APIProblem` 400 with the field.
    func response(_ id: UUID, of session: UUID) throws(APIProblem) -> TestResponse {
        guard self.id.id == id else { throw .contradictory("id: differs from the answer in the address.") }
        guard self.session.id == session else { throw .contradictory("session: differs from the one in the address.") }
        try Field.check(record)
        try Field.text(recording.path, "recording.path", atMost: 300)
        try Field.text(recording.mediaType, "recording.mediaType", atMost: 100)
        try Field.number(recording.byteCount, "recording.byteCount", 0...(1 << 40))
        guard Field.isDigest(recording.sha256) else {
            throw .malformed("recording.sha256: must be 64 hexadecimal digits.")
        }
        return TestResponse(
            id: id, session: session, record: record, path: recording.path, byteCount: recording.byteCount,
            sha256: recording.sha256.lowercased(), mediaType: recording.mediaType)
    }
}

extension CompletionRow {
    /// Returns the completion.
    ///
    /// - Throws: `APIProblem` 400 with the field.
    func completion(of session: UUID) throws(APIProblem) -> Completion {
        guard self.session.id == session else { throw .contradictory("session: differs from the one in the address.") }
        if let outcome { try Field.text(outcome, "outcome", atMost: 100) }
        try Field.number(answers, "answers", 0...10_000)
        try Field.number(delivered, "delivered", 0...10_000)
        return Completion(
            id: id.id, completedAt: try Field.moment(completedAt, "completedAt"), outcome: outcome, answers: answers)
    }
}

/// A session in the form for clients.
struct SessionAnswer: Encodable, Sendable {
    var id: LowercaseID
    var name: String
    var format: String
    var paper: String
    /// The name of the spoken drill. Absent for exams.
    var drill: String?
    var mode: String?
    var startedAt: String
    var completedAt: String?
    var status: String
    var outcome: String?
    /// The party that held it: `server`, or `client` if it was recorded elsewhere and uploaded.
    var held: String
    /// The seal's hash and time; absent until the session is sealed.
    var seal, sealedAt: String?
    /// The number of stored answers.
    var answers: Int
    /// The number of answers announced at completion.
    var announced: Int?
    /// True if a machine's mark waits for a person; otherwise absent.
    var markHeld: Bool?
    /// The progress of its evaluation; absent if it was not requested, and in lists.
    var evaluation: EvaluationState?

    init(_ session: TestSession, _ evaluation: EvaluationState? = nil) {
        id = LowercaseID(session.id)
        name = session.name
        format = session.format
        paper = session.paper
        drill = SpokenDrill(paper: session.paper)?.rawValue
        mode = session.mode?.rawValue
        startedAt = session.startedAt
        completedAt = session.completedAt
        status = session.status.rawValue
        outcome = session.outcome
        held = session.held.rawValue
        (seal, sealedAt) = (session.seal, session.sealedAt)
        answers = session.storedResponses
        announced = session.announcedResponses
        markHeld = session.isHeld ? true : nil
        self.evaluation = evaluation
    }
}

/// Validation of fields. Each error is a sentence with the field.
enum Field {
    static func text(_ text: String, _ name: String, atMost most: Int) throws(APIProblem) {
        let scalars = text.unicodeScalars
        guard 1...most ~= scalars.count else { throw .malformed("\(name): must have 1 to \(most) characters.") }
        guard !scalars.contains(where: \.isControl) else {
            throw .malformed("\(name): contains invisible characters.")
        }
    }

    static func number(_ number: Int, _ name: String, _ range: ClosedRange<Int>) throws(APIProblem) {
        guard range ~= number else {
            throw .malformed("\(name): must be \(range.lowerBound) to \(range.upperBound).")
        }
    }

    /// Returns whether the text is a SHA-256: 64 hexadecimal digits in either case.
    static func isDigest(_ text: String) -> Bool { text.wholeMatch(of: /[0-9a-fA-F]{64}/) != nil }

    static func check(_ record: AnswerRecord) throws(APIProblem) {
        try text(record.question, "question", atMost: 200)
        if let end = record.end { try text(end, "end", atMost: 100) }
        try number(record.part, "part", 1...100)
        try number(record.order, "order", 1...1000)
        try number(record.attempt, "attempt", 1...1000)
        if let choice = record.choice { try number(choice, "choice", 1...2) }
        // An answer lasts at most two hours. `Seconds` itself limits an exam to a day.
        let spans = [
            ("duration", record.duration), ("speech", record.speech), ("lost", record.lost),
            ("responseLatency", record.responseLatency), ("leadIn", record.leadIn),
        ]
        for case (let name, let span?) in spans where span.duration > .seconds(7200) {
            throw .malformed("\(name): must be 0 to 7200 seconds.")
        }
        guard 0...1 ~= record.clippedShare ?? 0 else { throw .malformed("clippedShare: must be a share, 0 to 1.") }
    }

    /// Checks a time.
    ///
    /// - Returns: the same text.
    /// - Throws: 400 if it is not in UTC and to the second, 422 if the month has no such day.
    static func moment(_ text: String, _ name: String) throws(APIProblem) -> String {
        let form = /20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z/
        guard text.wholeMatch(of: form) != nil else {
            throw .malformed("\(name): must be a time like 2026-11-21T09:12:29Z.")
        }
        // Foundation reads the 31st of February as the 3rd of March.
        guard let date = try? Date(text, strategy: .iso8601), date.formatted(.iso8601) == text else {
            throw .contradictory("\(name): there is no such day.")
        }
        return text
    }
}
