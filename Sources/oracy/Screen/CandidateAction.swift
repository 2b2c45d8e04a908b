import ExamCore
import ExamKit

/// What a candidate may do about the exam, beside speaking.
enum CandidateAction: CaseIterable, Equatable, Sendable {
    case repeatQuestion
    case skipPreparation
    case finish
    case pause
    case goOn
    /// To leave it for now, or to withdraw for good.
    case leave

    /// What it asks of the exam; nil for leaving, which is no event of the exam.
    var event: Exam.Event? {
        switch self {
        case .repeatQuestion: .repeatAsked
        case .skipPreparation: .preparationSkipped
        case .finish: .finishDeclared
        case .pause: .pauseAsked
        case .goOn: .continueAsked
        case .leave: nil
        }
    }
}

extension SessionView {
    /// What would change something just now, in the order in which it is offered.
    func actions(in script: ExamScript, at now: ExamTime) -> [CandidateAction] {
        CandidateAction.allCases.filter { allows($0, in: script, at: now) }
    }

    private func allows(_ action: CandidateAction, in script: ExamScript, at now: ExamTime) -> Bool {
        guard exam.stage == .testing, let index = exam.turn else { return false }
        let turn = script.turns[index]
        let practice = script.options.mode == .practice
        switch action {
        case .repeatQuestion:
            guard exam.recording != nil, let rule = turn.answer else { return false }
            return !rule.repeats.isEmpty || rule.refusal != nil
        case .skipPreparation:
            guard practice, exam.activity == .preparing, let preparation = turn.preparation,
                let earliest = preparation.skippableAfter, let left = exam.preparationLeft
            else { return false }
            return preparation.length - left + passed(until: now) >= earliest
        case .finish:
            guard let open = exam.recordingTime, exam.recording != nil, let earliest = turn.answer?.finishableAfter
            else { return false }
            return open + passed(until: now) >= earliest
        case .pause: return practice && exam.activity != .suspended
        case .goOn: return exam.activity == .suspended && exam.trouble == nil
        case .leave: return true
        }
    }

    /// How long the candidate's clock has run since the view was shown.
    func passed(until now: ExamTime) -> Duration {
        exam.activity == .suspended ? .zero : max(now - at, .zero)
    }
}
