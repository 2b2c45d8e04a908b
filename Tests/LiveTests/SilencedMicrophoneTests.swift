import AudioFiles
import Testing

@testable import PulseRoom

/// A microphone that is switched off at the device. The page's tests have the same cases.
@Suite struct SilencedMicrophoneTests {
    /// Returns the number of blocks after which it was noticed. Nil if it was not.
    private func noticed(_ parts: (count: Int, level: Float)...) -> Int? {
        var silenced = SilencedMicrophone()
        var heard = 0
        for (count, level) in parts {
            let block = AudioBlock(samples: (0..<AudioFormat.blockSize).map { $0 % 2 == 0 ? level : -level })
            for _ in 0..<count {
                heard += 1
                if silenced.hear(block) { return heard }
            }
        }
        return nil
    }

    @Test func zerosAfterTheRoomsNoiseAreASwitch() {
        #expect(noticed((150, 0.0006), (60, 0)) == 200)
        #expect(noticed((150, 0.0006), (49, 0)) == nil)
        #expect(noticed((150, 0.0006), (2, 0), (10, 0.0006), (60, 0)) == 212)
    }

    @Test func aMicrophoneThatMakesZerosIsNeverSwitchedOff() {
        #expect(noticed((50, 0.0006), (100, 0.1), (60, 0)) == nil, "a voice has no noise of the room's")
        #expect(noticed((20, 0), (200, 0.0006), (60, 0)) == nil)
        #expect(noticed((500, 0)) == nil)
    }
}
