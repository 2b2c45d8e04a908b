public import HTTPClient
public import Learning
import Papers

/// Has a model write a week's plan. What it answers is mended or refused by the plan's own rules; where it is refused again and again, nothing comes of it,
/// and the rules' own plan stands in.
public struct PlanWriting: Sendable {
    public struct Outcome: Sendable {
        /// nil where no answer could be kept.
        public let plan: StudyPlan?
        public let repairs: [PlanDraft.Repair]
        /// Why each answer was refused, in their order.
        public let refusals: [String]
    }

    private let model: any TextModel
    /// As often as a question's (`GenerationLimits`): who is wrong five times is wrong the sixth.
    private static let attempts = 5

    public init(_ model: any TextModel) { self.model = model }

    /// - Parameters:
    ///   - week: any day of it.
    ///   - version: that of the plan.
    /// - Throws: `ServiceFailure` where the model cannot be asked.
    public func plan(
        for profile: LearnerProfile, _ evidence: PlanEvidence, week: StudyDay, version: Int
    ) async throws(ServiceFailure) -> Outcome {
        var refusals: [String] = []
        while refusals.count < Self.attempts, !Task.isCancelled {
            let prompt = PlanPrompt.of(profile, evidence, week: week, refused: refusals.last)
            let own = ModelPrompt(
                rules: prompt.system, material: prompt.user, schema: prompt.schema, name: "study_plan")
            let number = refusals.count + 1
            let reply = try await model.reply(
                to: own, seed: number, key: "plan-\(week.monday.text)-\(version)-\(number)")
            switch reply {
            case .cutOff: refusals.append("the answer was too long, and ended in the middle")
            case .declined: refusals.append("there was no answer")
            case .text(let text):
                let draft = PlanDraft(text, for: profile, evidence, week: week, version: version)
                switch draft.outcome {
                case .plan(let plan): return Outcome(plan: plan, repairs: draft.repairs, refusals: refusals)
                case .refused(let why): refusals.append(why)
                }
            }
        }
        return Outcome(plan: nil, repairs: [], refusals: refusals)
    }
}
