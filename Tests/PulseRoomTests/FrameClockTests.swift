import ExamCore
import Testing

@testable import PulseRoom

/// Fragments of 20 ms as they arrive, and the clock's findings.
@Suite struct FrameClockTests {
    /// A microphone whose samples come late, early, in bursts, or not at all.
    private struct Microphone {
        var clock = FrameClock()
        var now = Duration.zero
        var lost: [Int] = []

        /// Delivers for a time. `late` returns the delay of each arrival, and `rate` is the speed of the device's
        /// crystal.
        mutating func deliver(_ span: Duration, late: (Int) -> Duration = { _ in .zero }, rate: Double = 1) {
            for index in 0..<(span.milliseconds / 20) {
                now += .microseconds(Int(20_000 / rate))
                if let span = clock.arrived(320, at: now + late(index)) { lost.append(span.milliseconds) }
            }
        }

        /// Delivers nothing for a time, and then everything that waited at once, except `dropped`.
        mutating func stall(_ span: Duration, dropped: Duration = .zero) {
            now += span
            for _ in 0..<((span - dropped).milliseconds / 20) {
                if let span = clock.arrived(320, at: now) { lost.append(span.milliseconds) }
            }
        }
    }

    @Test func soundThatComesInTimeLosesNothing() {
        var microphone = Microphone()
        microphone.deliver(.seconds(60))
        #expect(microphone.lost == [])
    }

    @Test func aBurstAfterAStallLosesNothing() {
        var microphone = Microphone()
        microphone.deliver(.seconds(3))
        for span in [0.2, 0.9, 4, 30] as [Double] {
            microphone.stall(.milliseconds(Int(span * 1000)))
            microphone.deliver(.seconds(3))
        }
        #expect(microphone.lost == [])
    }

    @Test(arguments: [40, 100, 340, 1_000, 4_100])
    func droppedSoundIsCountedOnce(_ milliseconds: Int) {
        var microphone = Microphone()
        microphone.deliver(.seconds(3))
        microphone.stall(.seconds(5), dropped: .milliseconds(milliseconds))
        microphone.deliver(.seconds(10))
        #expect(microphone.lost.count == 1)
        #expect(abs((microphone.lost.first ?? 0) - milliseconds) <= 20)
    }

    @Test func aDropWithoutAStallIsCountedToo() {
        var microphone = Microphone()
        microphone.deliver(.seconds(3))
        microphone.now += .milliseconds(60)  // Three fragments never arrive.
        microphone.deliver(.seconds(5))
        #expect(microphone.lost == [60])
    }

    /// Consumer crystals stay within 100 ppm. Ten times as much is still not a loss.
    @Test(arguments: [0.999, 0.9999, 1.0001, 1.001])
    func aCrystalThatDriftsLosesNothing(_ rate: Double) {
        var microphone = Microphone()
        microphone.deliver(.seconds(900), rate: rate)
        #expect(microphone.lost == [])
    }

    @Test func arrivalsThatAreLateByChanceLoseNothing() {
        var microphone = Microphone()
        var dice: UInt32 = 1
        microphone.deliver(
            .seconds(300),
            late: { _ in
                dice = dice &* 1_664_525 &+ 1_013_904_223
                return .milliseconds(Int(dice >> 24) % 60)
            })
        #expect(microphone.lost == [])
    }
}
