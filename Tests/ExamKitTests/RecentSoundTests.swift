import AudioFiles
import Testing

@testable import ExamKit

/// The last sound before a take.
@Suite struct RecentSoundTests {
    @Test func theLastSamplesAreReturnedOnce() {
        var recent = RecentSound(length: .milliseconds(50))
        for level in [1, 2, 3] as [Float] { recent.append(Self.block(level)) }
        #expect(recent.take(480) == run(2, 160) + run(3, 320))
        recent.append(Self.block(4))
        #expect(recent.take(480) == run(0, 160) + run(4, 320))
        #expect(recent.take(320) == run(0, 320))
        #expect(recent.take(0) == [])
    }

    @Test func missedSoundIsSilence() {
        var recent = RecentSound(length: .milliseconds(50))
        recent.append(Self.block(1))
        recent.miss(.milliseconds(10))
        #expect(recent.take(480) == run(1, 320) + run(0, 160))
        recent.append(Self.block(1))
        recent.miss(.seconds(100))
        #expect(recent.take(800) == run(0, 800))
        recent.append(Self.block(1))
        recent.forget()
        #expect(recent.take(320) == run(0, 320))
    }

    private func run(_ level: Float, _ count: Int) -> [Float] { Array(repeating: level / 1_024, count: count) }

    private static func block(_ level: Float) -> AudioBlock {
        AudioBlock(samples: Array(repeating: level / 1_024, count: AudioFormat.blockSize))
    }
}
