/// A recording whose room is heard only with the voice. Before the first word and after the last one the room is far
/// quieter.
///
/// Examples are a sentence cut out of a recording, or a microphone that is unmuted. The sound before the voice says
/// nothing about the noise around it.
public struct QuietLeadIn: Equatable, Sendable {
    /// The level of the added white noise in dB of full scale.
    public var level: Double

    /// Seconds of the recording that are left before the first word and after the last one.
    private static let before = 0.1
    private static let after = 0.2

    public init(level: Double) {
        self.level = level
    }

    /// Returns nil for a recording without speech.
    public func applied(to recording: LabelledRecording) -> LabelledRecording? {
        guard let first = recording.speech.stretches.first?.lowerBound,
            let last = recording.speech.stretches.last?.upperBound
        else { return nil }
        var chance = Chance(named: recording.name + "|lead-in")
        let room = chance.noise(recording.samples.count)
        let kept = recording.place(of: first - Self.before..<last + Self.after)
        var changed = recording
        for index in changed.samples.indices {
            changed.samples[index] =
                (kept.contains(index) ? changed.samples[index] : 0) + room[index] * amplitude(ofDecibels: level)
        }
        return changed
    }
}
