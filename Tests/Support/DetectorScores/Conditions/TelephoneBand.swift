import Glibc

/// A telephone line: 300 to 3,400 Hz (ITU-T G.712), sampled at 8 kHz in between, and so without anything above 4 kHz.
///
/// Within the band the sound is unchanged. Outside of it the gain falls like a cosine, to zero at 200 and 4,000 Hz.
/// There is no delay and no companding.
public struct TelephoneBand: Equatable, Sendable {
    public init() {}

    public func applied(to recording: LabelledRecording) -> LabelledRecording {
        var changed = recording
        changed.samples = FourierTransform.filtered(recording.samples) { hertz in
            Self.edge((hertz - 200) / 100) * Self.edge((4_000 - hertz) / 600)
        }
        return changed
    }

    /// Rises from 0 to 1 with `part`.
    private static func edge(_ part: Double) -> Double { (1 - cos(.pi * min(max(part, 0), 1))) / 2 }
}
