import ExamCore
import ExamKit

/// The time left for a candidate who is preparing or answering.
struct TimeLeft: Equatable, Sendable {
    var left: Duration
    /// The duration of a full bar; nil if the limit is not the answer's own.
    var whole: Duration?
    var isPreparation: Bool
    /// The shortest of the format's warnings that is not shorter than `left`.
    var warning: Duration?

    /// Computes the time left. Nil if no time is running, because the examiner speaks or the exam is suspended or over.
    init?(_ view: SessionView, in script: ExamScript, at now: ExamTime) {
        guard view.exam.stage == .testing, let index = view.exam.turn else { return nil }
        let turn = script.turns[index]
        let passed = view.passed(until: now)
        if let preparation = view.exam.preparationLeft {
            left = preparation - passed
            whole = turn.preparation?.length
            isPreparation = true
        } else if let answer = view.exam.answerLeft {
            left = answer - passed
            whole = turn.answer?.maximum
            isPreparation = false
        } else {
            return nil
        }
        left = max(left, .zero)
        // Before the first word of a talk, the part's limit is the nearest one. The whole maximum is still left then.
        if let whole { left = min(left, whole) }
        let left = left
        warning = script.warnings.last { left <= $0 && $0 < whole ?? .seconds(86_400) }
    }

    /// Whether to show the time to a candidate who chose `shown`.
    func isShown(_ shown: TimeShown) -> Bool {
        switch shown {
        case .bar: whole != nil || warning != nil
        case .warnings: warning != nil
        case .off: false
        }
    }
}

extension SessionView {
    /// The time that the candidate's clock has run since the view was shown.
    func passed(until now: ExamTime) -> Duration {
        exam.activity == .suspended ? .zero : max(now - at, .zero)
    }
}

extension Duration {
    /// The whole seconds, rounded up.
    var wholeSeconds: Int { (milliseconds + 999) / 1000 }

    /// The duration in words: `30 seconds`, `1 second`.
    var spoken: String { wholeSeconds == 1 ? "1 second" : "\(wholeSeconds) seconds" }
}
