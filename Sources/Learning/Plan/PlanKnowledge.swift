/// What is known of a learner at a moment: whoever reads sessions and logs fills it, and everything that is shown of a plan comes of it and the book.
public struct PlanKnowledge: Sendable {
    /// Its `asOf` is always `now`.
    public var evidence: PlanEvidence
    /// In any order.
    public var deeds: [Deed]
    /// Pauses of practice.
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
