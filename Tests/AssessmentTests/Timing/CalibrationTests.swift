import ExamCore
import Testing

@testable import Assessment

/// Tests of fitting, and of the figures for a fit's accuracy.
@Suite struct CalibrationTests {
    @Test func correlationsAreTheTextbooks() throws {
        // Compared with SciPy's pearsonr and spearmanr, including ties.
        let (a, b): ([Double], [Double]) = ([1, 2, 2, 4, 7], [2, 1, 3, 3, 9])
        #expect(abs(try #require(Correlation.pearson(a, b)) - 0.916_516) < 1e-5)
        #expect(abs(try #require(Correlation.spearman(a, b)) - 0.763_158) < 1e-5)
        #expect(Correlation.pearson([1, 1], [2, 3]) == nil)
        #expect(Correlation.pearson([], []) == nil)
    }

    @Test func intervalsHoldTheFigure() throws {
        var random = SplitMix64(seed: 3)
        let a = (0..<200).map { _ in Double(random.below(1000)) }
        let b = a.map { $0 + Double(random.below(1000)) }
        let groups = (0..<200).map { "s\($0 / 10)" }
        func figure(_ rows: [Int]) -> Double? { Correlation.pearson(rows.map { a[$0] }, rows.map { b[$0] }) }
        let interval = try #require(Correlation.interval(groups: groups, of: figure))
        #expect(interval.contains(try #require(figure(Array(0..<200)))))
        #expect(interval.upperBound - interval.lowerBound > 0.02)
        #expect(Correlation.interval(groups: groups, of: figure) == interval)
        #expect(Correlation.interval(groups: [String](repeating: "one", count: 200), of: figure) == nil)
    }

    /// Returns 12 recordings of each of 12 speakers, with marks that follow from the features.
    private static func samples() -> [CalibrationFit.Sample] {
        var random = SplitMix64(seed: 5)
        return (0..<144).map { number in
            let (rate, bend) = (Double(random.below(1000)) / 1000, Double(random.below(1000)) / 1000)
            var sound = ProfileTests.answer(speech: 4).sound
            // Two features change, the others are the same for all.
            sound.features = ["peakRate": rate, "pitchBend": bend, "spectralTempo": -0.6, "voiceGaps": 0]
            return .init(speaker: "s\(number / 12)", mark: 4 + 3 * rate + bend, sound: sound)
        }
    }

    @Test func aFitFindsWhatIsThere() throws {
        let fit = CalibrationFit(Self.samples())
        #expect(fit.isEnough)
        let calibration = fit.calibration(named: "made", corpus: "made up")
        let rate = try #require(calibration.features.first { $0.name == "peakRate" })
        let bend = try #require(calibration.features.first { $0.name == "pitchBend" })
        // The ridge reduces the weights by a thirtieth.
        #expect(abs(rate.weight / rate.deviation - 3) < 0.2)
        #expect(abs(bend.weight / bend.deviation - 1) < 0.2)
        let held = fit.heldOut()
        #expect(held.count == 144)
        #expect(try #require(Correlation.pearson(held, fit.samples.map(\.mark))) > 0.98)
        #expect(calibration.secondVariance > 0)
    }

    /// A mark that depends only on the speaker cannot be predicted for others, and the figures must not claim that it
    /// can.
    @Test func speakersAreLeftOut() throws {
        let samples = Self.samples().enumerated().map { number, sample in
            var sample = sample
            let own = Double((number / 12) * 7919 % 12) / 12
            sample.mark = 10 * own
            sample.sound.features["peakRate"] = Double(number / 12)
            return sample
        }
        let fit = CalibrationFit(samples)
        #expect(try #require(Correlation.spearman(fit.heldOut(), fit.samples.map(\.mark))) < 0.5)
    }

    @Test func tooFewAreNotEnough() {
        #expect(!CalibrationFit(Array(Self.samples().prefix(99))).isEnough)
        #expect(!CalibrationFit(Self.samples().map { .init(speaker: "one", mark: $0.mark, sound: $0.sound) }).isEnough)
        var bare = Self.samples()
        for index in bare.indices { bare[index].sound.features["pitchBend"] = nil }
        #expect(CalibrationFit(bare).samples.isEmpty)
    }
}
