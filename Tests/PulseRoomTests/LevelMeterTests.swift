import AudioFiles
import Testing

@testable import PulseRoom

@Suite struct Readings {
    private func readings(of sound: [Float]) -> [LevelMeter.Reading] {
        var meter = LevelMeter()
        return stride(from: 0, to: sound.count - 319, by: 320).compactMap {
            meter.hear(AudioBlock(samples: Array(sound[$0..<$0 + 320])))
        }
    }

    @Test func tenReadingsASecond() {
        #expect(readings(of: sine(440, 16_000)).count == 10)
        #expect(readings(of: sine(440, 1_280)).isEmpty)
    }

    @Test func aSineOfFullScaleHasMinus3DBFS() throws {
        let reading = try #require(readings(of: sine(1_000, 1_600)).first)
        #expect(abs(reading.rmsDBFS + 3.01) < 0.01)
        #expect(abs(reading.peakDBFS) < 0.01)
    }

    @Test(arguments: [-20.0, -60, -90])
    func noiseHasItsLevel(dBFS: Double) {
        for reading in readings(of: white(16_000, seed: 3, dBFS: dBFS)) { #expect(abs(reading.rmsDBFS - dBFS) < 0.6) }
    }

    @Test func digitalSilenceIsMinus120() throws {
        let reading = try #require(readings(of: [Float](repeating: 0, count: 1_600)).first)
        #expect(reading == .init(rmsDBFS: -120, peakDBFS: -120, heldPeakDBFS: -120, clippedSamples: 0))
    }

    @Test func peaksAreHeldForASecondAndThenFall() {
        let sound = sine(1_000, 1_600) + sine(1_000, 48_000, amplitude: 0.001)
        let held = readings(of: sound).map(\.heldPeakDBFS)
        #expect(held[0...10].allSatisfy { abs($0) < 0.01 })
        #expect(held[11] < -1)
        #expect(abs(held[27] + 20) < 0.1, "20 dB in 1.7 s")
        #expect(abs(held[30] + 20 * 20 / 17) < 0.1)
        #expect(readings(of: sine(1_000, 1_600) + sine(1_000, 160_000, amplitude: 0.001)).last!.heldPeakDBFS < -59.99)
    }
}

@Suite struct Clipping {
    private func count(_ sound: [Float]) -> Int {
        var bySample = ClippingCounter()
        for sample in sound { bySample.hear(sample) }
        // Fewer than the eight that are processed together, eight and a remainder, and a room's block.
        for size in [2, 9, 320] {
            var byBlock = ClippingCounter()
            for start in stride(from: 0, to: sound.count, by: size) {
                byBlock.hear(Array(sound[start...].prefix(size)))
            }
            #expect(byBlock.count == bySample.count, "in blocks of \(size)")
        }
        return bySample.count
    }

    @Test func threeInARowClipAndTwoDoNot() {
        #expect(count([0, 1, 1, 0, 1, 0, 1, 1]) == 0)
        #expect(count([0, 1, 1, 1, 0]) == 3)
        #expect(count([0, -1, -1, -1, -1, 0, 1, 1, 1]) == 7)
        #expect(count([0.999, 0.999, 0.999, 0.999]) == 0)
        #expect(count([32_766, 32_767, 32_767].map { $0 / 32_768 }) == 3)
    }

    @Test(arguments: [82.0, 100, 160, 441, 1_000, 3_999])
    func aSineThatJustFitsDoesNotClip(hertz: Double) {
        #expect(count(sine(hertz, 16_000)) == 0)
    }

    @Test(arguments: [101.0, 307, 997])
    func aSineThreeDecibelsTooLoudDoes(hertz: Double) {
        let clipped = sine(hertz, 16_000, amplitude: 1.4125).map { min(max($0, -1), 1) }
        // |sin| exceeds 1/1.4125 half of the time.
        #expect(abs(Double(count(clipped)) / 16_000 - 0.5) < 0.06)
    }

    @Test func runsGoOnFromBlockToBlock() {
        var meter = LevelMeter()
        var block = AudioBlock.silence
        block.samples[318...319] = [1, 1]
        _ = meter.hear(block)
        block = .silence
        block.samples[0] = 1
        var reading = meter.hear(block)
        for _ in 0..<3 { reading = meter.hear(.silence) }
        #expect(reading?.clippedSamples == 3)
        for _ in 0..<5 { reading = meter.hear(.silence) }
        #expect(reading?.clippedSamples == 0, "each reading counts its own")
    }
}
