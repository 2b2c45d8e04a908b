import Foundation
import Testing

@testable import Assessment

/// Tests with known sequences of syllables: the count, and what must not change it.
@Suite struct SyllableTests {
    @Test(arguments: [0.16, 0.22, 0.3]) func everySyllableIsCounted(_ pace: Double) {
        let train = SyllableTrain(pace: pace)
        let found = train.samples.measured().timeline.syllables
        // At most two of 16 syllables are missed, and none is added.
        #expect((train.syllableCount - 2...train.syllableCount).contains(found.count), "\(found)")
        // Each lies in a stretch of speech.
        for syllable in found {
            #expect(train.stretches.contains { syllable > $0.start - 0.03 && syllable < $0.end + 0.03 }, "\(syllable)")
        }
    }

    @Test func pausesAreFoundAtTheirTimes() throws {
        let train = SyllableTrain()
        let timeline = train.samples.measured().timeline
        let span = try #require(timeline.span)
        #expect(abs(span.start - train.edges) <= 0.06)
        #expect(timeline.silences.count == 2)
        for (silence, gap) in zip(timeline.silences, zip(train.stretches, train.stretches.dropFirst())) {
            // The window of 32 ms and the smoothing blur the sound, so a pause is measured about 50 ms shorter.
            #expect(abs(silence.start - gap.0.end) <= 0.06, "\(silence)")
            #expect(abs(silence.end - gap.1.start) <= 0.06, "\(silence)")
        }
    }

    @Test func soundWithoutSpeechHasNoSyllables() {
        #expect([Float]().measured().timeline.duration == 0)
        let silence = [Float](repeating: 0, count: 32_000).measured()
        #expect(silence.timeline.span == nil)
        #expect(silence.timeline.syllables == [])
        #expect(silence.features == [:])
        let hiss = SyllableTrain.noise(48_000, level: 0.05).measured()
        #expect(hiss.timeline.syllables.count <= 2, "\(hiss.timeline.syllables)")
        #expect(hiss.speechOverNoise < 20)
    }

    // MARK: - Changes without effect

    @Test func theSplitIntoBlocksChangesNothing() {
        let samples = SyllableTrain().samples
        let whole = samples.measured(blocks: [samples.count])
        for blocks in [[1], [7, 160, 3], [320], [4096, 11]] { #expect(samples.measured(blocks: blocks) == whole) }
    }

    @Test(arguments: [-12.0, 6.0]) func loudnessChangesNothing(_ decibels: Double) throws {
        let samples = SyllableTrain().samples
        let (plain, other) = (samples.measured(), samples.map { $0 * Float(pow(10, decibels / 20)) }.measured())
        #expect(other.timeline.syllables == plain.timeline.syllables)
        #expect(other.timeline.silences == plain.timeline.silences)
        for (name, value) in plain.features {
            #expect(abs(try #require(other.features[name]) - value) < 0.02, "\(name)")
        }
    }

    @Test func anOffsetAndHumChangeNothing() {
        let samples = SyllableTrain().samples
        let plain = samples.measured().timeline
        let offset = samples.map { $0 + 0.05 }.measured().timeline
        let hum = samples.indices.map { samples[$0] + 0.01 * Float(sin(2 * .pi * 50 * Double($0) / 16_000)) }.measured()
            .timeline
        for other in [offset, hum] {
            #expect(abs(other.syllables.count - plain.syllables.count) <= 1)
            #expect(other.silences.count == plain.silences.count)
        }
    }

    @Test func aSampleThatIsNotANumberIsSilence() {
        var samples = SyllableTrain().samples
        for index in stride(from: 8000, to: samples.count, by: 4001) {
            samples[index] = index % 2 == 0 ? .nan : .infinity
        }
        let found = samples.measured()
        #expect(found.features.values.allSatisfy { $0.isFinite })
        #expect(abs(found.timeline.syllables.count - SyllableTrain().syllableCount) <= 3)
    }

    // MARK: - Peaks

    @Test func peaksAreTheSound() {
        var samples = [Float](repeating: 0, count: 16_000)
        samples[4_000] = -0.5
        let timeline = samples.measured().timeline
        #expect(timeline.peaks.count == 20)
        #expect(timeline.peaks[5] == 0.5)
        #expect(timeline.peaks.reduce(0, +) == 0.5)
        #expect(timeline.peaks(count: 10) == [0, 0, 0.5, 0, 0, 0, 0, 0, 0, 0])
        #expect(timeline.peaks(count: 50).count == 20)
    }
}
