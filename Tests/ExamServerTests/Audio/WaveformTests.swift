import AudioFiles
import Foundation
import Testing

@testable import ExamNode
@testable import ExamServer

/// Waveforms of recordings, some of them hostile.
@Suite struct WaveformTests {
    /// Each peak is the loudest sample of its hundredth of the recording, at any place in it, in any channel, positive
    /// or negative. Its neighbours don't matter.
    @Test(arguments: [1, 2]) func eachPeakIsItsPiecesLoudestSample(_ channels: Int) throws {
        let path = NSTemporaryDirectory() + "oracy-\(UUID().uuidString).wav"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let piece = 160
        let peaks = (0..<100).map { Double($0 * 37 % 100) / 100 }
        // A second of 16 bits at 16 kHz, silent but for one sample of each piece.
        var samples = [Int16](repeating: 0, count: 100 * piece * channels)
        for (number, peak) in peaks.enumerated() {
            let frame = number * piece + [0, piece / 2, piece - 1][number % 3]
            samples[frame * channels + number % channels] =
                Int16((peak * 32_768).rounded()) * (number % 2 == 0 ? 1 : -1)
        }
        let bytes = samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        try Data(Self.wav(bytes, rate: 16_000, channels: channels, bits: 16)).write(to: URL(filePath: path))
        #expect(try Waveform.peaks(of: path) == peaks)
    }

    /// Two hours of silence at this rate are 7 MB. As FLAC, 7 MB would be days of silence.
    @Test func aRecordingLongerThanAnyAnswerIsNotReadToItsEnd() throws {
        let path = NSTemporaryDirectory() + "oracy-\(UUID().uuidString).wav"
        defer { try? FileManager.default.removeItem(atPath: path) }
        for (seconds, isTaken) in [(7_190, true), (7_300, false)] {
            try Data(Self.silence(seconds: seconds)).write(to: URL(filePath: path))
            do {
                #expect(try Waveform.peaks(of: path).count == 100)
                #expect(isTaken)
            } catch {
                #expect(!isTaken && error.reason == "is longer than two hours", "\(error)")
            }
        }
    }

    /// Returns silence of 8 bits at 1 kHz, the lowest rate that can be read.
    private static func silence(seconds: Int) -> [UInt8] {
        wav([UInt8](repeating: 128, count: 1_000 * seconds), rate: 1_000, channels: 1, bits: 8)
    }

    private static func wav(_ data: [UInt8], rate: Int, channels: Int, bits: Int) -> [UInt8] {
        func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        let frame = channels * bits / 8
        return Array("RIFF".utf8) + number(36 + data.count) + Array("WAVEfmt ".utf8) + number(16)
            + number(1 | channels << 16) + number(rate) + number(rate * frame) + number(frame | bits << 16)
            + Array("data".utf8) + number(data.count) + data
    }
}
