import Glibc

/// A room that rings: the sound itself, and after it noise that dies away evenly in dB (J. D. Polack's model, 1988).
///
/// What follows the sound begins 5 ms after it (walls are some way off), and has decayed by 60 dB after `decay`. Labels are those of
/// the dry sound: a tail is no speech.
public struct Reverberation: Equatable, Sendable {
    /// RT60, seconds: 0.4 is a furnished living room, 0.6 a bare office or a classroom.
    public var decay: Double
    /// Of the energy of the sound itself to that of all that follows, dB; 0 is as far away as the room's critical distance, about
    /// a metre in a small one.
    public var directRatio: Double

    public init(decay: Double, directRatio: Double) {
        self.decay = decay
        self.directRatio = directRatio
    }

    /// Each recording is in a room of its own, which its name seeds.
    public func applied(to recording: LabelledRecording) -> LabelledRecording {
        var changed = recording
        changed.samples = FourierTransform.convolved(
            recording.samples, with: response(Chance(named: recording.name + "|room")))
        return changed
    }

    /// The room's answer to one sample: one, and what follows, until it is 90 dB down.
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
