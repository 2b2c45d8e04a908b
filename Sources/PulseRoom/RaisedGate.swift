public import VoiceActivity

/// The detector's gate, raised so far that the examiner's voice from the loudspeaker is not taken for the candidate's.
public enum RaisedGate {
    /// How loud the examiner's voice is played: RMS, dBFS. The built-in voice's lines lie between −23.5 and −19.7.
    public static let examinerDBFS = -20.0

    /// The gate must lie so far under the candidate's level, dB.
    ///
    /// Measured on 52 labelled answers: 24 dB under the level moves the end of one answer, 20 dB of 4, 15 dB of 10, and 10 dB of
    /// 36, with 60 % of the voiced time left: a voice's bands are quieter than the voice, its ends quieter still.
    static let leastHeadroom = 20.0

    /// The gate, dBFS, at which an examiner who leaks so much is not heard.
    ///
    /// It is the level at which the voice arrives. A band of a voice is quieter than the voice, and speech must stand out of the
    /// gate: the loudest of 58 lines is first heard with the gate 6 dB lower, 5 dB lower through rooms of up to 0.6 s of echo.
    /// Those decibels are kept for louder voices and other rooms.
    public static func needed(for leak: LeakProbe.Leak, examinerDBFS: Double = examinerDBFS) -> Double {
        leak.gainDB + examinerDBFS
    }

    /// What arrives more quietly than this, dBFS, is 40 dB under an ordinary voice: a sound from far off, which does not count.
    static let harmless = -65.0

    /// The gate to set, dBFS; nil where none is needed, and where the candidate would not be heard over it.
    public static func suggested(
        for leak: LeakProbe.Leak?, speechDBFS: Double?, examinerDBFS: Double = examinerDBFS
    ) -> Double? {
        guard let leak, let speechDBFS else { return nil }
        let gate = needed(for: leak, examinerDBFS: examinerDBFS)
        return gate > harmless && gate <= speechDBFS - leastHeadroom ? gate : nil
    }
}

extension VoiceDetector.Settings {
    /// Sets the gate by its level, dBFS.
    public mutating func setGate(dBFS level: Double) {
        gate = Float(Decibels.power(ofLevel: level))
    }
}
