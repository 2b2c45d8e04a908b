import Testing

@testable import Assessment
@testable import Study

/// The wanted band beside the estimates of a learner's exams.
@Suite struct GoalProgressTests {
    private static func estimate(
        _ range: ClosedRange<Double>, _ aspect: AspectEstimate.Aspect = .overall, _ scale: AspectEstimate.Scale = .band
    ) -> AspectEstimate {
        AspectEstimate(
            aspect: aspect, scale: scale,
            counted: .init(
                origin: .people, low: range.lowerBound, high: range.upperBound, sources: ["Ann"], seconds: 60,
                words: nil, isCompared: true, width: ""), beside: nil, narrower: "")
    }

    private static func sentence(_ wanted: Double, _ ranges: ClosedRange<Double>...) -> String? {
        GoalProgress(wanted: wanted, ranges.map { [estimate($0)] })?.sentence
    }

    @Test func theDistanceIsThatOfBothEndsOfTheRange() throws {
        let goal = try #require(GoalProgress(wanted: 7, [[Self.estimate(5...6)], [Self.estimate(5.5...7.5)]]))
        #expect(goal.distances == [.init(least: 1, most: 2), .init(least: 0, most: 1.5)])
        // Above the wanted band there is no distance.
        let reached = try #require(GoalProgress(wanted: 6, [[Self.estimate(6.5...7.5)]]))
        #expect(reached.distances == [.init(least: 0, most: 0)])
    }

    @Test func theSentenceComparesNowWithTheFirstExam() {
        #expect(Self.sentence(7, 5.5...6.5) == "You want band 7, 0.5 to 1.5 bands above the estimate.")
        #expect(
            Self.sentence(6.5, 4...5, 5...6, 5.5...6.5)
                == "You want band 6.5, which is within the estimate. In your first exam it was 1.5 to 2.5 bands above.")
        #expect(
            Self.sentence(6, 5.5...6.5, 6...7)
                == "You want band 6, and the whole estimate is there or above. In your first exam it was within the estimate."
        )
        #expect(
            Self.sentence(7, 7...8, 6...6)
                == "You want band 7, 1 band above the estimate. In your first exam the whole estimate was there or above."
        )
        // The same distance is not told twice.
        #expect(Self.sentence(7, 5...6, 6...6.5, 5...6) == "You want band 7, 1 to 2 bands above the estimate.")
    }

    /// Only an overall estimate in bands says how far a wanted band is.
    @Test func otherEstimatesSayNothingAboutTheBand() throws {
        let others = [
            [], [Self.estimate(5...6, .fluency)], [Self.estimate(5...6, .overall, .listeners)],
        ]
        let goal = try #require(GoalProgress(wanted: 7, others))
        #expect(goal.distances.isEmpty)
        #expect(
            goal.sentence
                == "You want band 7. There is no estimate in bands yet: marks by people or by a language model give one."
        )
        let mixed = try #require(
            GoalProgress(wanted: 7, others + [[Self.estimate(6...7, .fluency), Self.estimate(5...6)]]))
        #expect(mixed.distances == [.init(least: 1, most: 2)])
        #expect(GoalProgress(wanted: nil, [[Self.estimate(5...6)]]) == nil)
    }
}
