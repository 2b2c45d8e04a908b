import Glibc

/// A reverberant room: the direct sound, followed by noise that decays evenly in dB (J. D. Polack's model, 1988).
///
/// The reverberation begins 5 ms after the sound, because walls are some way off, and has decayed by 60 dB after
/// `decay`. Labels are those of the dry sound, because a tail isn't speech.
public struct Reverberation: Equatable, Sendable {
    /// The RT60 in seconds: 0.4 is a furnished living room, 0.6 a bare office or a classroom.
    public var decay: Double
    /// The energy of the direct sound relative to that of the reverberation, in dB. 0 is at the room's critical
    /// distance, about a metre in a small one.
    public var directRatio: Double

    public init(decay: Double, directRatio: Double) {
        self.decay = decay
        self.directRatio = directRatio
    }

    /// Applies a room to a recording. Each recording has its own room, seeded with its name.
    public func applied(to recording: LabelledRecording) -> LabelledRecording {
        var changed = recording
        changed.samples = FourierTransform.convolved(
            recording.samples, with: response(Chance(named: recording.name + "|room")))
        return changed
    }

    /// Returns the room's response to one sample: one, and the reverberation until it is 90 dB down.
    func response(_ chance: Chance) -> [Double] {
        var chance = chance
        let rate = LabelledRecording.rate
        let tail = (0..<Int(1.5 * decay * rate)).map { index in
            chance.normal() * amplitude(ofDecibels: -60 * Double(index) / rate / decay)
        }
        let gain = (1 / (tail.power * Double(tail.count)) / pow(10, directRatio / 10)).squareRoot()
        return [1] + [Double](repeating: 0, count: Int(0.005 * rate) - 1) + tail.map { $0 * gain }
    }
}
