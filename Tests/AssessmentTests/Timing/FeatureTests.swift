import ExamCore
import Foundation
import Testing

@testable import Assessment

/// Tests of the features of a calibration on trains of syllables, whose pace and pauses are known.
@Suite struct FeatureTests {
    private static func features(_ train: SyllableTrain) -> [String: Double] { train.samples.measured().features }

    @Test func quickerSyllablesHaveAQuickerTempo() throws {
        let tempos = try [0.34, 0.26, 0.2, 0.15].map { pace in
            try #require(Self.features(SyllableTrain(pace: pace))["spectralTempo"])
        }
        #expect(tempos == tempos.sorted(), "\(tempos)")
        #expect(tempos[3] > tempos[0] + 0.3)
    }

    /// The rate of peaks includes pauses, like the rate of speech.
    @Test func peaksAreCountedFromTheFirstToTheLast() throws {
        let train = SyllableTrain(pace: 0.3)
        let counted = exp(try #require(Self.features(train)["peakRate"]))
        let (count, span) = (Double(train.syllableCount), train.stretches.last!.end - train.edges)
        #expect(abs(counted / ((count - 1) / (span - 0.3)) - 1) < 0.1, "\(counted)")
    }

    @Test func gapsOfTheVoiceAreThePauses() throws {
        let train = SyllableTrain(pauses: [0.6, 1.1])
        let span = train.stretches.last!.end - train.edges
        let gaps = try #require(Self.features(train)["voiceGaps"])
        #expect(abs(gaps - 1.7 / span) < 0.03, "\(gaps)")
        #expect(Self.features(SyllableTrain(pauses: [0.15, 0.15]))["voiceGaps"] == 0)
    }

    /// Noise fills the pauses of a quiet room, but not those of the voice.
    @Test(arguments: ["voiceGaps", "peakRate"]) func noiseChangesNeitherGapsNorPeaks(_ name: String) throws {
        let feature = try #require(DeliveryCalibration.builtIn.features.first { $0.name == name })
        let samples = SyllableTrain().samples
        let noisy = samples.plus(SyllableTrain.noise(samples.count, level: 0.03)).measured().features
        let (before, after) = (try #require(samples.measured().features[name]), try #require(noisy[name]))
        #expect(abs(after - before) < 0.3 * feature.deviation, "\(before), \(after)")
    }

    /// An answer that says the same three times has the features of one.
    @Test func lengthChangesLittle() throws {
        let once = SyllableTrain(runs: [5, 7, 4, 6, 5], pauses: [0.6, 0.9, 0.5, 0.8])
        let thrice = SyllableTrain(
            runs: once.runs + once.runs + once.runs, pauses: once.pauses + [0.7] + once.pauses + [0.7] + once.pauses)
        let (short, long) = (Self.features(once), Self.features(thrice))
        for feature in DeliveryCalibration.builtIn.features {
            let (before, after) = (try #require(short[feature.name]), try #require(long[feature.name]))
            #expect(abs(after - before) < 0.25 * feature.deviation, "\(feature.name): \(before), \(after)")
        }
    }

    @Test func aMomentHasNoTempo() {
        #expect(SpectralTempo.of(SoundFrames(), within: 0..<0) == nil)
        let short = SyllableTrain(runs: [1], pauses: [], edges: 0.01, pace: 0.1).samples.measured()
        #expect(short.features["peakRate"] == nil)
        #expect(short.features.values.allSatisfy { $0.isFinite })
    }
}
