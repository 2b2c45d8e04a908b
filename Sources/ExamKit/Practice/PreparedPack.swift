import ExamCore
public import Learning
public import SystemSupport

extension PrepPack {
    /// With questions that the built-in bank has for this learner's kind of exam; the same in the same week.
    ///
    /// - Parameter plan: this week's, or the one that begins next week; without one, a plan by the rules stands in.
    /// - Throws: nothing that a caller could cause.
    public static func made(
        for profile: LearnerProfile, of plan: StudyPlan?, _ knowledge: PlanKnowledge
    ) throws(Problem) -> PrepPack {
        let plan = plan ?? StudyPlan(for: profile, knowledge.evidence, week: knowledge.week(for: profile))
        let format = try ExamFormat.builtIn(profile.format == .interview ? "interview" : "ielts-style")
        let questions = try StarterQuestions.drawn(for: format, seed: UInt64(plan.weekOf.number))
        return PrepPack(for: profile, plan: plan, starterQuestions: questions)
    }
}
