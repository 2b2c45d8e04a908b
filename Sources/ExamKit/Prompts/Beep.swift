import AudioFiles
import Glibc
import SessionFolders
import SystemSupport

/// The tone before an answer. Oracy generates it, since no voice can speak it.
enum Beep {
    /// The tone's file name in a folder of recordings. Change the number whenever the sound changes.
    static let fileName = "beep-1.opus"

    /// In Hz. A telephone's "speak now" has this pitch: small loudspeakers and ears work best there.
    private static let pitch = 1_000.0
    /// In seconds.
    private static let (length, fade) = (0.25, 0.02)

    /// The tone, as loud as the examiner (`VoiceLoudness.target`). It fades in and out so that nothing clicks.
    private static var samples: [Float] {
        let amplitude = sqrt(2) * pow(10, VoiceLoudness.target / 20)
        let rate = Double(AudioFormat.sampleRate)
        return (0..<Int(length * rate)).map { number in
            let time = Double(number) / rate
            let edge = min(1, min(time, length - time) / fade)
            return Float(amplitude * edge * sin(2 * .pi * pitch * time))
        }
    }

    /// Writes the tone as Ogg/Opus.
    ///
    /// - Throws: `Problem.unwritable`.
    static func write(to path: String) throws(Problem) {
        try withSound { () throws(SoundFileError) in
            let writer = try OpusFileWriter(path: path, bitRate: AnswerRecorder.opusBitRate, effort: .most)
            try writer.write(samples[...])
            try writer.close(durably: true)
        }
    }
}
