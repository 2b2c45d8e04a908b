package import Assessment
import Assessors
package import AudioFiles
package import ExamCore
import Glibc

/// A task on a recording from outside. A worker process performs it, or this process if the server has no program for
/// workers.
package enum SoundTask: Codable, Sendable {
    /// Computes peaks and measures.
    ///
    /// - Parameters:
    ///   - leadIn: the length of the beginning that counts as silence (`AnswerRecord.leadIn`).
    ///   - samples: the file to write the sound to as WAV, 16 kHz mono. Nil to write no file.
    case study(leadIn: Seconds?, samples: String?)
    /// Reads the length that the header states.
    case length
    /// Encodes an MP3 for a page.
    case mp3

    /// The findings. Each task fills in its own fields.
    package struct Found: Codable, Sendable {
        package var peaks: [Double]?
        package var sound: MeasuredSound?
        /// The recording's defects, each as a sentence without its subject.
        package var warnings: [String] = []
        package var milliseconds: Int?
        /// The number of bytes of the MP3 that follow.
        package var byteCount = 0
    }

    /// Performs the task in this process. Takes as long as decoding.
    ///
    /// - Throws: `SoundFileError` if the file cannot be decoded, or is longer than an answer may be.
    package func perform(on path: String) throws(SoundFileError) -> (found: Found, bytes: [UInt8]) {
        var found = Found()
        switch self {
        case .study(let leadIn, let samples):
            found.peaks = try Waveform.peaks(of: path)
            let reader = try BlockReader(path: path)
            found.sound = try RecordingMeasure.measure(reader, leadIn: leadIn)
            found.warnings = reader.warnings.map(\.words)
            if let samples { try Self.write(path, to: samples) }
        case .length:
            let file = try SoundFileReader(path: path)
            if file.frameCount > 0 { found.milliseconds = file.frameCount * 1000 / file.sampleRate }
        case .mp3:
            // This throws if the sound is longer than an answer may be.
            _ = try Waveform.peaks(of: path)
            let bytes = try SoundAsMP3.convert(path)
            found.byteCount = bytes.count
            return (found, bytes)
        }
        return (found, [])
    }

    private static func write(_ path: String, to samples: String) throws(SoundFileError) {
        let (reader, writer) = (try BlockReader(path: path), try SoundFileWriter(path: samples, encoding: .wav))
        var count = 0
        while let block = try reader.next() {
            try writer.write(block.samples[..<(reader.sampleCount - count)])
            count = reader.sampleCount
        }
        try writer.close(durably: false)
    }
}
