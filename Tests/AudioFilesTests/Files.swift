import AudioFiles
import CSndFile
import Foundation
import Testing

/// Writes a file of any kind that libsndfile can write. The project itself only writes few kinds, at 16 kHz mono.
///
/// - Parameter samples: Interleaved samples, written `times` times.
func write(
    _ samples: [Float], times: Int = 1, to path: String, rate: Int, channels: Int = 1, format: Int
) throws {
    var info = SF_INFO()
    info.samplerate = Int32(rate)
    info.channels = Int32(channels)
    info.format = Int32(format)
    let file = try #require(sf_open(path, Int32(SFM_WRITE), &info), "\(String(cString: sf_strerror(nil)))")
    for _ in 0..<times {
        let written = sf_write_float(file, samples, sf_count_t(samples.count))
        try #require(written == samples.count)
    }
    try #require(sf_close(file) == SF_ERR_NO_ERROR)
}

/// 32-bit float WAV, which loses and clips nothing.
let floatWAV = SF_FORMAT_WAV | SF_FORMAT_FLOAT

/// The kinds of files that the project writes, all at 16 kHz mono.
enum Recording: Hashable, Sendable {
    case growingWAV
    case wav
    case flac
    case opus(bitRate: Int)

    static let all: [Recording] = [.growingWAV, .wav, .flac, .opus(bitRate: 32_000)]

    /// Returns a writer. The growing WAV has an interface of its own.
    func writer(to path: String) throws -> any SoundWriter {
        switch self {
        case .growingWAV: throw CocoaError(.featureUnsupported)
        case .wav: try SoundFileWriter(path: path, encoding: .wav)
        case .flac: try SoundFileWriter(path: path, encoding: .flac)
        case .opus(let bitRate): try OpusFileWriter(path: path, bitRate: bitRate)
        }
    }
}

/// Writes a file with the project's own writers, 20 ms at a time.
func record(_ samples: [Float], to path: String, as kind: Recording) throws {
    let blocks = stride(from: 0, to: samples.count, by: AudioFormat.blockSize).map {
        samples[$0..<min($0 + AudioFormat.blockSize, samples.count)]
    }
    if kind == .growingWAV {
        let file = try GrowingWAV(path: path)
        for block in blocks { try file.append(Array(block)) }
        return
    }
    let writer = try kind.writer(to: path)
    for block in blocks { try writer.write(block) }
    try writer.close(durably: false)
}

/// Returns all samples of a file unchanged: at its own rate, with interleaved channels.
func samples(ofFile path: String) throws -> [Float] { try reading(ofFile: path).samples }

/// Returns all samples of a file unchanged, its reader's warnings, and its rate.
func reading(ofFile path: String) throws -> (samples: [Float], warnings: [RecordingWarning], sampleRate: Int) {
    let file = try SoundFileReader(path: path)
    var all: [Float] = []
    var part = [Float](repeating: 0, count: 4_096 * file.channelCount)
    while true {
        let count = try file.read(4_096, into: &part)
        all += part[..<(count * file.channelCount)]
        if count < 4_096 { return (all, file.warnings, file.sampleRate) }
    }
}

/// Returns all blocks of a file, joined: 16 kHz mono, a multiple of 20 ms.
func blocks(ofFile path: String) throws -> [Float] {
    let reader = try BlockReader(path: path)
    var all: [Float] = []
    while let block = try reader.next() { all += block.samples }
    return all
}

func size(ofFile path: String) throws -> Int {
    try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
}

/// Cuts a file off after this part of its bytes.
func cutOff(_ path: String, after part: Double) throws {
    try #require(truncate(path, Int(Double(size(ofFile: path)) * part)) == 0)
}

/// Reads a whole file as blocks. Returns the error, or nil if the file is readable.
func whatIsWrong(with path: String) -> SoundFileError? {
    failure { _ = try blocks(ofFile: path) }
}

func failure(of body: () throws -> Void) -> SoundFileError? {
    do {
        try body()
        return nil
    } catch {
        return error as? SoundFileError
    }
}
