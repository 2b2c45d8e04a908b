/// A rule that every plan has to keep, whether Oracy, a model or a person wrote it.
public enum PlanRule: String, CaseIterable, Sendable {
    /// `weekOf` is a Monday, and `version` 1 to 100,000.
    case week
    /// Tasks and blocks are only on available days, and the plan lists each available day.
    case days
    /// A day's tasks take at most its budget. `taper` may lower it.
    case budget
    /// The blocks of a day lie within it and do not overlap.
    case overlap
    /// Each task is in one block of its day, and the block is long enough for its tasks.
    case blocks
    /// Each task has a unique id of letters, digits, `.`, `-` and `_`.
    case ids
    /// Linked packs, lessons and tests exist. Checked only if the evidence lists any.
    case known
    /// Each command is the one that its link leads to.
    case command
    /// A task takes 1 to 240 minutes.
    case minutes
    /// Titles and reasons are not empty and have at most 300 characters.
    case words
    /// No link occurs twice on a day. Only due items occur on two days in a row.
    case spacing
    /// At most one whole exam a week.
    case exam
    /// Before the test: no whole exam in the last two days, nothing new and half the time in the last seven, and
    /// nothing from the test day on.
    case taper
    /// Each constraint that Oracy understands is kept or noted as impossible. Others are noted as not understood.
    case constraints
    /// A day without tasks has a note that says why.
    case empty
    /// A day has at most two carried tasks, and none is older than a week.
    case carried
}

/// A violation of a rule, with its place in the plan.
public struct PlanFinding: Equatable, Sendable {
    public let rule: PlanRule
    /// The field: `dailyTasks.Monday[0].link`.
    public let place: String
    /// The fault, without a full stop.
    public let sentence: String

    public init(_ rule: PlanRule, _ place: String, _ sentence: String) {
        self.rule = rule
        self.place = place
        self.sentence = sentence
    }

    public var text: String { "\(place): \(rule.rawValue): \(sentence)" }
}

extension StudyPlan {
    /// Returns the violations of rules in the plan, in the order of the rules. Empty if the plan keeps them all.
    ///
    /// - Parameter evidence: the learner's due items and everything that can be practised. Kinds that it does not list
    ///   are not checked.
    public func findings(for profile: LearnerProfile, _ evidence: PlanEvidence = .init()) -> [PlanFinding] {
        let check = PlanCheck(plan: self, profile: profile, evidence: evidence)
        return PlanRule.allCases.flatMap { rule in check.findings(rule) }
    }
}
