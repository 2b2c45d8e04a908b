import AudioFiles

/// The silence at the end of everything that the examiner says.
///
/// A candidate answers the last sound of a prompt, and not the end of its file: voices write up to half a second of silence there, in which
/// the first word of a quick answer would be lost. So each prompt ends with the same short silence.
package enum PromptEnding {
    /// From the last sound to the end: what a room and a loudspeaker on its way to the microphone take to fall silent.
    package static let silence = Duration.milliseconds(100)
    /// A recording with this much more silence is cut. Less is not worth a copy of it.
    private static let tolerance = AudioFormat.sampleCount(in: .milliseconds(60))
    /// Pieces of 20 ms above this level sound, dB of full scale: 30 dB below the voice (`VoiceLoudness.target`).
    private static let floor: Float = -50

    /// The same sound without what is too much of the silence at its end; nil if it ends as it should, or has no sound.
    ///
    /// - Parameter samples: 16 kHz, full scale ±1, as loud as the voice (`VoiceLoudness`).
    static func cut(_ samples: [Float]) -> [Float]? {
        guard let length = length(of: samples), samples.count > length + tolerance else { return nil }
        return Array(samples.prefix(length))
    }

    /// The same sound, cut or filled up to the silence at its end; as it is if it has no sound.
    ///
    /// - Parameter samples: as for `cut`.
    static func filled(_ samples: [Float]) -> [Float] {
        guard let length = length(of: samples) else { return samples }
        return Array(samples.prefix(length)) + Array(repeating: 0, count: max(0, length - samples.count))
    }

    /// The length of a prompt with its last sound and the silence after it; nil if it has no sound.
    private static func length(of samples: [Float]) -> Int? {
        lastSound(in: samples).map { $0 + AudioFormat.sampleCount(in: silence) }
    }

    /// The end of the last piece that sounds, in samples.
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
