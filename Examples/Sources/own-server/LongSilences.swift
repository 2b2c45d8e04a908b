import Assessment
import Assessors
import HTTPClient

/// Finds long silences in an answer, with their places in the recording.
///
/// It gives no mark: a silence is a fact, and its weight depends on the question. Everything that it doesn't assess
/// stays empty.
struct LongSilences: Assessor {
    /// Seconds. A pause to think is shorter.
    let longest: Double

    /// With a new version, the server assesses answers again.
    let source = MarkSource(kind: .machine, id: "long-silences", version: "1")

    func assess(_ answer: AnswerToAssess, _ calls: AssessorCalls) async throws(ServiceFailure) -> AssessorFinding {
        var finding = answer.finding(by: source)
        finding.improvements = silences(in: answer).map { silence in
            "At \(Self.clock(silence.start)) you said nothing for \(Int(silence.length.rounded())) seconds. Say what you are thinking about."
        }
        return finding
    }

    /// Nothing leaves this machine, so there is no `recipient`.
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
