public import ExamCore
public import Learning
public import SystemSupport

extension LearnerProfile {
    /// The id of the format of the exam that the learner prepares for.
    public var examFormat: String { (format ?? .exam).examFormat }
}

extension PrepPack {
    /// Makes a pack with questions from the built-in bank for this learner's kind of exam. The questions stay the same
    /// for a week.
    ///
    /// - Parameters:
    ///   - plan: The plan of this week, or the one that begins next week. If nil, a plan is made by the rules.
    ///   - format: The format whose id is `profile.examFormat`.
    /// - Throws: `Problem` only if Oracy's own files are broken.
    public static func made(
        for profile: LearnerProfile, of plan: StudyPlan?, _ knowledge: PlanKnowledge, format: ExamFormat
    ) throws(Problem) -> PrepPack {
        let plan = plan ?? StudyPlan(for: profile, knowledge.evidence, week: knowledge.week(for: profile))
        let questions = try StarterQuestions.drawn(
            for: format, role: profile.targetRole, seed: UInt64(plan.weekOf.number))
        return PrepPack(for: profile, plan: plan, starterQuestions: questions)
    }
}
