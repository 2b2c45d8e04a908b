import Assessment
import Assessors
import AudioFiles
import ExamCore
import Glibc
import SystemSupport

/// What a recording from outside is decoded for. It is done in a worker process, or in this one if the server has no program for workers.
enum SoundTask: Codable, Sendable {
    /// Peaks and measures, in one go.
    ///
    /// - Parameters:
    ///   - leadIn: the beginning that counts as silence (`AnswerRecord.leadIn`).
    ///   - samples: where to write the sound as WAV, 16 kHz mono; nil: nowhere.
    case study(leadIn: Seconds?, samples: String?)
    /// The length that its header names.
    case length
    /// MP3, for a page.
    case mp3

    /// What was found. Each task fills in its own.
    struct Found: Codable, Sendable {
        var peaks: [Double]?
        var sound: MeasuredSound?
        /// What the recording lacks, a sentence each without its subject.
        var warnings: [String] = []
        var milliseconds: Int?
        /// Bytes that follow: the MP3.
        var byteCount = 0
    }

    /// Does it in this process; it takes as long as decoding.
    ///
    /// - Throws: `SoundFileError` if the file cannot be decoded, or is longer than an answer may be.
    func perform(on path: String) throws(SoundFileError) -> (found: Found, bytes: [UInt8]) {
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
            // It is longer than an answer where this throws.
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
