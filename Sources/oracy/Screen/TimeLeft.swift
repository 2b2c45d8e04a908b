import ExamCore
import ExamKit

/// The time that is left to a candidate who prepares or answers.
struct TimeLeft: Equatable, Sendable {
    var left: Duration
    /// What a full bar stands for; nil where the limit is not the answer's own.
    var whole: Duration?
    var isPreparation: Bool
    /// The shortest of the format's warnings that `left` lies within.
    var warning: Duration?

    /// Nil where no time runs out: the examiner speaks, or the exam is not going on.
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
        // Before the first word of a talk the nearest limit is its part's: the whole maximum is left then.
        if let whole { left = min(left, whole) }
        let left = left
        warning = script.warnings.last { left <= $0 && $0 < whole ?? .seconds(86_400) }
    }

    /// Whether a candidate who chose `shown` is to see it.
    func isShown(_ shown: TimeShown) -> Bool {
        switch shown {
        case .bar: whole != nil || warning != nil
        case .warnings: warning != nil
        case .off: false
        }
    }
}

extension SessionView {
    /// How long the candidate's clock has run since the view was shown.
    func passed(until now: ExamTime) -> Duration {
        exam.activity == .suspended ? .zero : max(now - at, .zero)
    }
}

extension Duration {
    /// Whole seconds, the begun one included.
    var wholeSeconds: Int { (milliseconds + 999) / 1000 }

    /// `30 seconds`, `1 second`.
    var spoken: String { wholeSeconds == 1 ? "1 second" : "\(wholeSeconds) seconds" }
}
