public import HTTPClient
public import Learning
import Papers

/// Asks a model for a week's plan. The plan's rules mend or refuse each answer. If every answer is refused, there is no
/// plan, and the one made by rules is used instead.
public struct PlanWriting: Sendable {
    public struct Outcome: Sendable {
        /// Nil if no answer could be used.
        public let plan: StudyPlan?
        public let repairs: [PlanDraft.Repair]
        /// The reason for each refusal, in order.
        public let refusals: [String]
    }

    private let model: any TextModel
    /// As many as for a question (`GenerationLimits`): a model that fails five times also fails the sixth time.
    private static let attempts = 5

    public init(_ model: any TextModel) { self.model = model }

    /// Asks the model for a plan.
    ///
    /// - Parameters:
    ///   - week: any day of the week.
    ///   - version: the version of the plan.
    /// - Throws: `ServiceFailure` if the model cannot be asked.
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
