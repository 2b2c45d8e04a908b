import AudioFiles
import Glibc

/// The silence at the end of everything that the examiner says.
///
/// A candidate answers the last sound of a prompt, not the end of its file. Voices write up to half a second of silence
/// there, in which the first word of a quick answer would be lost. So every prompt ends with the same short silence.
package enum PromptEnding {
    /// The time from the last sound to the end: a room, and sound on its way from loudspeaker to microphone, take this
    /// long to fall silent.
    package static let silence = Duration.milliseconds(100)
    /// A recording is cut only if it has this much more silence. Less isn't worth a copy.
    private static let tolerance = AudioFormat.sampleCount(in: .milliseconds(60))
    /// Pieces of 20 ms count as sound above this level, dB of full scale: 30 dB below the voice
    /// (`VoiceLoudness.target`).
    private static let floor: Float = -50

    /// Returns the sound without the surplus silence at its end; nil if it ends as it should, or contains no sound.
    ///
    /// - Parameter samples: 16 kHz, full scale ±1, as loud as the voice (`VoiceLoudness`).
    package static func cut(_ samples: [Float]) -> [Float]? {
        guard let length = length(of: samples), samples.count > length + tolerance else { return nil }
        return Array(samples.prefix(length))
    }

    /// Returns the sound with exactly the usual silence at its end, cut or padded. Samples without any sound stay as
    /// they are.
    ///
    /// - Parameter samples: As for `cut`.
    package static func filled(_ samples: [Float]) -> [Float] {
        guard let length = length(of: samples) else { return samples }
        return Array(samples.prefix(length)) + Array(repeating: 0, count: max(0, length - samples.count))
    }

    /// Returns the length of a prompt up to its last sound plus the usual silence; nil if it contains no sound.
    private static func length(of samples: [Float]) -> Int? {
        lastSound(in: samples).map { $0 + AudioFormat.sampleCount(in: silence) }
    }

    /// Returns the end of the last piece that contains sound, in samples.
    private static func lastSound(in samples: [Float]) -> Int? {
        let piece = AudioFormat.blockSize
        let least = Float.decibels(floor)
        for start in stride(from: (samples.count - 1) / piece * piece, through: 0, by: -piece) {
            let end = min(start + piece, samples.count)
            let power = samples[start..<end].reduce(0) { $0 + $1 * $1 } / Float(end - start)
            if power > least * least { return end }
        }
        return nil
    }
}

extension Float {
    /// Returns the amplitude factor of a level in decibels.
    package static func decibels(_ decibels: Float) -> Float { Float(pow(10, Double(decibels) / 20)) }
}
