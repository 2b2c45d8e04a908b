/// One telling of a text, to be compared with others or with the voice that it follows.
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
