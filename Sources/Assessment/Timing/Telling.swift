/// The timing of one telling: a learner's attempt at a text, or the voice that a learner follows. Tellings are compared
/// with one another.
public struct Telling: Equatable, Sendable {
    /// The name, such as `First`, `You 2` or `Voice 2`.
    public var name: String
    public var timeline: SoundTimeline
    public var measures: DeliveryMeasures

    public init(name: String, timeline: SoundTimeline, measures: DeliveryMeasures? = nil) {
        (self.name, self.timeline) = (name, timeline)
        self.measures = measures ?? DeliveryMeasures(timeline, latency: nil)
    }
}
