import AudioFiles
import Foundation
import Testing

@testable import ExamServer

/// What is made of a recording whose sender may mean ill.
@Suite struct WaveformTests {
    /// 7 MB of it are two hours; packed, as FLAC packs silence, it would be days.
    @Test func aRecordingLongerThanAnyAnswerIsNotReadToItsEnd() throws {
        let path = NSTemporaryDirectory() + "oracy-\(UUID().uuidString).wav"
        defer { try? FileManager.default.removeItem(atPath: path) }
        for (seconds, isTaken) in [(7_190, true), (7_300, false)] {
            try Data(Self.wav(seconds: seconds)).write(to: URL(filePath: path))
            do {
                #expect(try Waveform.peaks(of: path).count == 100)
                #expect(isTaken)
            } catch {
                #expect(!isTaken && error.reason == "is longer than two hours", "\(error)")
            }
        }
    }

    /// Silence of 8 bits at 1 kHz, the lowest rate that is read.
    private static func wav(seconds: Int) -> [UInt8] {
        func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        let count = 1_000 * seconds
        return Array("RIFF".utf8) + number(36 + count) + Array("WAVEfmt ".utf8) + number(16) + [1, 0, 1, 0]
            + number(1_000)
            + number(1_000) + [1, 0, 8, 0] + Array("data".utf8) + number(count) + [UInt8](repeating: 128, count: count)
    }
}
