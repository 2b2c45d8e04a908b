import Assessment
import Assessors
import ExamCore
import Foundation
import Glibc
import HTTPClient
import Synchronization

@testable import ExamNode
@testable import ExamServer

/// A stand-in for an assessor that is paid by the call. It writes each call into a file, which outlives its process.
///
/// A call counts as paid when its `end` line is written: then it has an answer, whether or not the worker receives it.
struct CountingAssessor: Assessor {
    let source: MarkSource
    var recipient: String?
    /// The path of the file with the calls.
    let ledger: String
    private let folder: String
    /// Called at each step. May end the process, wait or throw.
    var at: @Sendable (Step) async throws -> Void = { _ in }

    enum Step: Equatable, Sendable {
        /// The assessor was called for the answer with this id.
        case called(UUID)
        case said(UUID)
    }

    init(
        _ place: WorkerPlace, id: String = "counting", version: String = "1",
        at: @escaping @Sendable (Step) async throws -> Void = { _ in }
    ) {
        source = MarkSource(kind: .machine, id: id, version: version)
        folder = place.folder
        ledger = place.folder + "/ledger"
        self.at = at
    }

    var panel: AssessorPanel { AssessorPanel([.init(self)]) }

    func assess(
        _ answer: AnswerToAssess, _ calls: AssessorCalls
    ) async throws(ServiceFailure) -> AssessorFinding {
        let said = try await calls.once("all", seconds: 1) { (key) async throws(ServiceFailure) in
            let number = UUID()
            let id = WorkerPlace.answer(with: answer.recording, in: folder)
            let facts = "\(source.id)/\(source.version) \(id) \(key) \(number)"
            do {
                write("begin \(facts)")
                try await at(.called(id))
                write("end \(facts)")
                try await at(.said(id))
            } catch let failure as ServiceFailure {
                throw failure
            } catch {
                throw ServiceFailure(Task.isCancelled ? .cancelled : .later(nil), "\(source.id) answers 503")
            }
            return "\(number)"
        }
        var finding = answer.finding(by: source)
        finding.transcript = AnswerTranscript(
            answer: answer.record.name, recording: answer.recording, source: .recogniser, writtenAt: finding.saidAt,
            text: said)
        finding.transcript?.recogniser = source
        // Recordings of tests are tones, in which no speech is found.
        finding.evidence = Criterion.allCases.map {
            CriterionEvidence(
                trait: MarkedTrait($0), scope: .answer(name: answer.record.name, speech: 1), source: source,
                recordings: [answer.recording], outcome: .mark(6))
        }
        return finding
    }

    func preview(of answer: AnswerToAssess) -> [String] { [] }

    private func write(_ line: String) {
        let file = open(ledger, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        let bytes = Array((line + "\n").utf8)
        precondition(file >= 0 && Glibc.write(file, bytes, bytes.count) == bytes.count)
        close(file)
    }

    /// A line of the ledger.
    struct Call: Equatable {
        var isEnd: Bool
        /// The assessor's id and version: `counting/1`.
        var assessor: String
        var answer: UUID
        var key: String
        /// The transcript that the call returns.
        var number: String
    }

    /// Returns the calls in the order of time.
    func calls(of answer: UUID? = nil) -> [Call] {
        let text = (try? String(contentsOfFile: ledger, encoding: .utf8)) ?? ""
        let calls = text.split(separator: "\n").map { line in
            let words = line.split(separator: " ").map(String.init)
            return Call(
                isEnd: words[0] == "end", assessor: words[1], answer: UUID(uuidString: words[2])!, key: words[3],
                number: words[4])
        }
        return calls.filter { answer == nil || $0.answer == answer }
    }

    /// Returns the number of paid calls.
    func paid(for answer: UUID? = nil) -> Int { calls(of: answer).count { $0.isEnd } }
}
