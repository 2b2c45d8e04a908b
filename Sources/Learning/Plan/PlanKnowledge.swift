/// Everything that is known of a learner at one moment. The reader of sessions and logs fills it, and every view of a
/// plan is computed from it and the book.
public struct PlanKnowledge: Sendable {
    /// Its `asOf` is always `now`.
    public var evidence: PlanEvidence
    /// In any order.
    public var deeds: [Deed]
    /// The learner's pauses from practice.
    public var rest: RestDays
    public var now: StudyMoment

    public init(evidence: PlanEvidence, deeds: [Deed], rest: RestDays, now: StudyMoment) {
        self.evidence = evidence
        self.evidence.asOf = now
        self.deeds = deeds
        self.rest = rest
        self.now = now
    }

    public var today: StudyDay { now.day }
}
