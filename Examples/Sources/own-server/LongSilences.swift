import Assessment
import Assessors
import ExamServer
import HTTPClient

/// Says where in an answer somebody was silent for long, with the place in the recording.
///
/// It gives no mark: a silence is a fact, what it is worth depends on the question. What it was not able to look at stays empty.
struct LongSilences: Assessor {
    /// Seconds; a pause to think is shorter.
    let longest: Double

    /// Another version assesses answers again.
    let source = MarkSource(kind: .machine, id: "long-silences", version: "1")

    func assess(_ answer: AnswerToAssess, _ calls: AssessorCalls) async throws(ServiceFailure) -> AssessorFinding {
        var finding = answer.finding(by: source)
        finding.improvements = silences(in: answer).map { silence in
            "At \(Self.clock(silence.start)) you said nothing for \(Int(silence.length.rounded())) seconds. Say what you are thinking about."
        }
        return finding
    }

    /// Nothing leaves this machine: there is no `recipient`, and nothing is sent.
    func preview(of answer: AnswerToAssess) throws(ServiceFailure) -> [String] {
        ["looks for silences of more than \(Int(longest)) seconds, on this machine"]
    }

    private func silences(in answer: AnswerToAssess) -> [TimeRange] {
        answer.sound.timeline.silences.filter { $0.length > longest }
    }

    private static func clock(_ seconds: Double) -> String {
        let seconds = Int(seconds)
        return "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
    }
}
