/// What every plan has to keep, whoever wrote it: our rules, a model, a person.
public enum PlanRule: String, CaseIterable, Sendable {
    /// `weekOf` is a Monday, and `version` 1 to 100,000.
    case week
    /// Tasks and blocks stand on available days only, and each of these is named.
    case days
    /// Tasks of a day take no more than its budget; see `taper`, too.
    case budget
    /// Blocks of a day lie within it, one after the other.
    case overlap
    /// Each task stands in one block of its day, which has the time for its tasks.
    case blocks
    /// Each task has an id of its own: letters, digits, `.`, `-` and `_`.
    case ids
    /// Packs, lessons and tests that are linked are there. Looked at where the evidence names any.
    case known
    /// Commands are what the links say, and nothing else.
    case command
    /// A task takes 1 to 240 minutes.
    case minutes
    /// Titles and reasons are not empty, and have 300 characters at most.
    case words
    /// Nothing twice on a day, and on two days in a row only what is due.
    case spacing
    /// One whole exam a week.
    case exam
    /// Before the test: no whole exam in the last two days, nothing new and half the time in the last seven, nothing on the day and after it.
    case taper
    /// Constraints that are understood are kept, or named as impossible; others are named as not understood.
    case constraints
    /// A day without a task has a note that says why.
    case empty
    /// Two carried tasks a day at most, none older than a week.
    case carried
}

/// One place where a plan breaks a rule.
public struct PlanFinding: Equatable, Sendable {
    public let rule: PlanRule
    /// The field: `dailyTasks.Monday[0].link`.
    public let place: String
    /// What is wrong. No full stop.
    public let sentence: String

    public init(_ rule: PlanRule, _ place: String, _ sentence: String) {
        self.rule = rule
        self.place = place
        self.sentence = sentence
    }

    public var text: String { "\(place): \(rule.rawValue): \(sentence)" }
}

extension StudyPlan {
    /// Where it breaks rules, in the order of these; none where all is well.
    ///
    /// - Parameter evidence: what is due, and what there is to practise; what it does not name is not looked for.
    public func findings(for profile: LearnerProfile, _ evidence: PlanEvidence = .init()) -> [PlanFinding] {
        let check = PlanCheck(plan: self, profile: profile, evidence: evidence)
        return PlanRule.allCases.flatMap { rule in check.findings(rule) }
    }
}
