import AudioFiles
import Glibc
import SystemSupport

/// The tone before an answer: made here, since no voice speaks it.
enum Beep {
    /// Its name in a folder of recordings; another sound gets another number.
    static let fileName = "beep-1.opus"

    /// Hz: the pitch of a telephone's "speak now", where small loudspeakers and ears are at their best.
    private static let pitch = 1_000.0
    /// Seconds.
    private static let (length, fade) = (0.25, 0.02)

    /// As loud as the examiner (`VoiceLoudness.target`), with soft edges, so that nothing clicks.
    private static var samples: [Float] {
        let amplitude = sqrt(2) * pow(10, VoiceLoudness.target / 20)
        let rate = Double(AudioFormat.sampleRate)
        return (0..<Int(length * rate)).map { number in
            let time = Double(number) / rate
            let edge = min(1, min(time, length - time) / fade)
            return Float(amplitude * edge * sin(2 * .pi * pitch * time))
        }
    }

    /// - Throws: `Problem.unwritable`.
    static func write(to path: String) throws(Problem) {
        try withSound { () throws(SoundFileError) in
            let writer = try OpusFileWriter(path: path, bitRate: AnswerRecorder.opusBitRate, effort: .most)
            try writer.write(samples[...])
            try writer.close(durably: true)
        }
    }
}
