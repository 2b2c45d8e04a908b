import AudioFiles
import Glibc

/// The probe for the path from loudspeaker to microphone: a glide of one second.
///
/// Its pitch rises steadily from 300 to 3400 Hz, the telephone band, which every loudspeaker, microphone and speech
/// codec passes. No other sound glides so far so steadily. Each instant has its own frequency, so that echoes can be
/// told apart (A. Farina, "Simultaneous measurement of impulse response and distortion with a swept-sine technique",
/// AES 108, 2000).
enum ProbeSound {
    static let lowest = 300.0  // Hz
    static let highest = 3_400.0  // Hz
    /// 1 s at 16 kHz.
    static let count = AudioFormat.sampleRate
    /// −12 dBFS at its crests (RMS −15.2), a little louder than the examiner at −20.
    static let amplitude = 0.251_19
    /// 50 ms of a raised cosine at both ends, so that nothing clicks.
    static let fade = 800

    static func samples() -> [Float] {
        let rate = Double(AudioFormat.sampleRate)
        let octaves = log(highest / lowest)
        let sweep = Double(count) / rate / octaves
        return (0..<count).map { index in
            let phase = 2 * Double.pi * lowest * sweep * (exp(Double(index) / rate / sweep) - 1)
            let fromEnd = Double(min(index, count - 1 - index))
            let faded = fromEnd < Double(fade) ? 0.5 - 0.5 * cos(.pi * fromEnd / Double(fade)) : 1
            return Float(amplitude * faded * sin(phase))
        }
    }
}
