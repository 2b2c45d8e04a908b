import ExamStore
import Foundation
import Glibc
import Synchronization

@testable import ExamServer

/// A stand-in for a scorer that is paid by the call: writes each call into a file, which outlives its process.
///
/// A call is counted as paid when its `end` line is written: then it has an answer, whether anybody hears it or not.
struct CountingAssessor: Assessor {
    let version: String
    var callsAtOnce = 1
    /// Where calls are counted.
    let ledger: String
    /// Is asked at each step; may end the process, wait or throw.
    var at: @Sendable (Step) async throws -> Void = { _ in }

    enum Step: Equatable, Sendable {
        case called(AssessmentStep)
        case said(AssessmentStep)
        case gathering, gathered
    }

    struct AssessmentStep: Equatable, Sendable {
        var answer: UUID
        var attempt: Int
    }

    init(
        _ place: WorkerPlace, version: String = WorkerPlace.version, callsAtOnce: Int = 1,
        at: @escaping @Sendable (Step) async throws -> Void = { _ in }
    ) {
        self.version = version
        self.callsAtOnce = callsAtOnce
        ledger = place.folder + "/ledger"
        self.at = at
    }

    func assess(_ request: AssessmentRequest) async throws -> ResponseResult {
        let step = AssessmentStep(answer: request.response.id, attempt: request.attempt)
        let number = UUID()
        let facts = "\(version) \(request.response.id) \(request.key) \(request.attempt) \(number)"
        write("begin \(facts)")
        try await at(.called(step))
        write("end \(facts)")
        try await at(.said(step))
        return ResponseResult(response: request.response.id, scores: Scores(fluency: 6), transcript: "\(number)")
    }

    func result(of session: TestSession, from answers: [ResponseResult]) async throws -> StoredResult {
        try await at(.gathering)
        let bands = answers.compactMap(\.scores.fluency)
        let result = StoredResult(overallBand: bands.isEmpty ? nil : bands.reduce(0, +) / Double(bands.count))
        try await at(.gathered)
        return result
    }

    private func write(_ line: String) {
        let file = open(ledger, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        let bytes = Array((line + "\n").utf8)
        precondition(file >= 0 && Glibc.write(file, bytes, bytes.count) == bytes.count)
        close(file)
    }

    /// A line of the ledger.
    struct Call: Equatable {
        var isEnd: Bool
        var version: String
        var answer: UUID
        var key: String
        var attempt: Int
        /// What the call returns as its transcript.
        var number: String
    }

    /// In the order of time.
    func calls(of answer: UUID? = nil) -> [Call] {
        let text = (try? String(contentsOfFile: ledger, encoding: .utf8)) ?? ""
        let calls = text.split(separator: "\n").map { line in
            let words = line.split(separator: " ").map(String.init)
            return Call(
                isEnd: words[0] == "end", version: words[1], answer: UUID(uuidString: words[2])!, key: words[3],
                attempt: Int(words[4])!, number: words[5])
        }
        return calls.filter { answer == nil || $0.answer == answer }
    }

    /// How many have been paid for.
    func paid(for answer: UUID? = nil) -> Int { calls(of: answer).count { $0.isEnd } }
}
