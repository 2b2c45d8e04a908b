import Glibc

/// A telephone: 300 to 3,400 Hz (ITU-T G.712), sampled at 8 kHz in between and so without anything from 4 kHz on.
///
/// Within the band all is as it was; beside it, gains fall as a cosine does, to nothing at 200 and 4,000 Hz. No delay, no companding.
public struct TelephoneBand: Equatable, Sendable {
    public init() {}

    public func applied(to recording: LabelledRecording) -> LabelledRecording {
        var changed = recording
        changed.samples = FourierTransform.filtered(recording.samples) { hertz in
            Self.edge((hertz - 200) / 100) * Self.edge((4_000 - hertz) / 600)
        }
        return changed
    }

    /// From 0 to 1 while `part` is.
    private static func edge(_ part: Double) -> Double { (1 - cos(.pi * min(max(part, 0), 1))) / 2 }
}
