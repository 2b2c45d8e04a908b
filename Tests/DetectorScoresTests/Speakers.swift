import ExamCore
import Testing

@testable import DetectorScores

/// The figures of several speakers, with their confidence intervals.
@Suite struct Speakers {
    /// Scores recordings of six seconds with a turn each. For `missing` of them the end is lost.
    private func scores(_ speakers: Int, missing: Int) -> SpeakerScores {
        var scores = SpeakerScores()
        for number in 0..<speakers {
            let heard = number < missing ? 1..<5.9 : 1..<3.0
            scores.add(speaker: "s\(number)", labelled: Speech([1..<3]), heard: Speech([heard]), duration: 6)
        }
        return scores
    }

    @Test func mergingEqualsAddingAllAtOnce() {
        var dice = SplitMix64(seed: 4)
        var (whole, parts) = (DetectorScore(), SpeakerScores())
        for number in 0..<40 {
            func stretches() -> Speech {
                Speech(
                    (0..<5).map { _ in
                        let begin = Double.random(in: 0..<18, using: &dice)
                        return begin..<begin + Double.random(in: 0..<2, using: &dice)
                    })
            }
            let (labelled, heard) = (stretches(), stretches())
            // Two by two, in the order of the speakers' names.
            whole.add(labelled: labelled, heard: heard, duration: 20)
            parts.add(speaker: "s\(100 + number / 2)", labelled: labelled, heard: heard, duration: 20)
        }
        #expect(parts.bySpeaker.count == 20)
        #expect(parts.total == whole)
        #expect(whole.premature > 0 && whole.missed > 0 && whole.late > 0)
    }

    /// 20 of 100: by the binomial distribution, 0.2 ± 1.96 × 0.04.
    @Test func intervalsAreThoseOfChance() throws {
        let interval = try #require(scores(100, missing: 20).intervals(of: [{ $0.missed }])[0])
        #expect(abs(interval.lowerBound - 0.12) <= 0.011 && abs(interval.upperBound - 0.28) <= 0.011)
    }

    /// Twenty recordings of one speaker are not twenty speakers.
    @Test func aSpeakersRecordingsAreDrawnTogether() throws {
        var scores = SpeakerScores()
        for number in 0..<100 {
            let heard = number < 20 ? 1..<5.9 : 1..<3.0
            scores.add(speaker: "s\(number / 20)", labelled: Speech([1..<3]), heard: Speech([heard]), duration: 6)
        }
        let interval = try #require(scores.intervals(of: [{ $0.missed }])[0])
        #expect(interval == 0...0.6)
    }

    @Test func intervalsAreTheSameInEveryRun() {
        let scores = scores(12, missing: 3)
        #expect(scores.intervals(of: [{ $0.f1 }, { $0.missed }]) == scores.intervals(of: [{ $0.f1 }, { $0.missed }]))
    }

    @Test func missingFiguresHaveNoInterval() {
        #expect(scores(5, missing: 5).intervals(of: [{ $0.latencyP95 }, { $0.missed }]) == [nil, 1...1])
        #expect(SpeakerScores().intervals(of: [{ $0.f1 }]) == [nil])
    }

    @Test func foldsAreEvenAndEachSpeakerHasOne() {
        let speakers = (0..<52).map { "ansA_\(1_000 + 37 * $0)" }
        let folds = Folds.folds(of: speakers.reversed())
        #expect(folds.count == 52)
        #expect(folds == Folds.folds(of: speakers + speakers))
        #expect((0..<5).map { fold in folds.values.count { $0 == fold } } == [11, 11, 10, 10, 10])
        #expect(folds["ansA_1000"] == 0 && folds["ansA_1037"] == 1 && folds["ansA_1185"] == 0)
    }

    @Test func chanceIsAsItSays() {
        var chance = Chance(seed: 7)
        let noise = chance.noise(100_000)
        #expect(abs(noise.power - 1) < 0.02 && abs(noise.reduce(0, +) / 100_000) < 0.02)
        #expect(abs(Double(noise.count { abs($0) < 1 }) / 100_000 - 0.683) < 0.005)
        // The generator's known first number for the seed 1234567.
        var known = Chance(seed: 1_234_567)
        #expect(known.next() == 6_457_827_717_110_365_317)
    }
}
