public import VoiceActivity

/// A higher gate of the detector, so that the examiner's voice from the loudspeaker isn't mistaken for the candidate's.
public enum RaisedGate {
    /// The level of the examiner's voice when played, RMS in dBFS. The built-in voice's lines lie between −23.5 and
    /// −19.7.
    public static let examinerDBFS = -20.0

    /// The distance in dB by which the gate must be below the candidate's level.
    ///
    /// Measured on 52 labelled answers: a gate 24 dB below the level moves the end of one answer, 20 dB of 4, 15 dB of
    /// 10, and 10 dB of 36. The last leaves 60 % of the voiced time. A voice's bands are quieter than the voice, and
    /// its ends quieter still.
    static let leastHeadroom = 20.0

    /// Returns the gate in dBFS above which an examiner with this leak isn't heard.
    ///
    /// It is the level at which the voice arrives. A band of a voice is quieter than the voice, and speech must rise
    /// above the gate. So the loudest of 58 lines is first heard with a gate 6 dB lower, or 5 dB lower through rooms
    /// with up to 0.6 s of echo. The 5 or 6 dB are a reserve for louder voices and other rooms.
    public static func needed(for leak: LeakProbe.Leak, examinerDBFS: Double = examinerDBFS) -> Double {
        leak.gainDB + examinerDBFS
    }

    /// Sound that arrives more quietly than this, in dBFS, is 40 dB below an ordinary voice. It counts as distant.
    static let harmless = -65.0

    /// Returns the gate to set in dBFS; nil if none is needed, or if the candidate would not be heard over it.
    public static func suggested(
        for leak: LeakProbe.Leak?, speechDBFS: Double?, examinerDBFS: Double = examinerDBFS
    ) -> Double? {
        guard let leak, let speechDBFS else { return nil }
        let gate = needed(for: leak, examinerDBFS: examinerDBFS)
        return gate > harmless && gate <= speechDBFS - leastHeadroom ? gate : nil
    }
}

extension VoiceDetector.Settings {
    /// Sets the gate by its level in dBFS.
    public mutating func setGate(dBFS level: Double) {
        gate = Float(Decibels.power(ofLevel: level))
    }
}
