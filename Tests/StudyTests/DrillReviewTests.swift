import Assessment
import ExamCore
import Testing

@testable import Study

/// The tellings of a spoken drill side by side.
@Suite struct DrillReviewTests {
    private func sound(_ speech: Double) -> SoundTimeline {
        SoundTimeline(
            duration: speech + 1, span: TimeRange(0.5, speech + 0.5), silences: [],
            syllables: Array(stride(from: 0.5, to: speech + 0.5, by: 0.25)))
    }

    /// - Parameter speech: The seconds of speech of each answer.
    private func answers(_ speech: [Double], isPractice: Bool? = nil) -> [AnswerAssessment] {
        ExamAssessment.make(
            session: "s",
            answers: speech.enumerated().map { place, seconds in
                var record = AnswerRecord(
                    question: "q\(place + 1)", part: 1, order: place + 1, end: "finished",
                    duration: Seconds(.seconds(seconds + 1)), speech: Seconds(.seconds(seconds)))
                record.practice = isPractice
                let sound = MeasuredSound(timeline: sound(seconds), speechOverNoise: 40, clippedShare: 0)
                return .init(record: record, recording: "\(place)", sound: sound)
            }
        ).answers
    }

    @Test func eachVoiceStandsBeforeTheAnswerThatFollowsIt() {
        let review = DrillReview(
            .repeatAfterMe, target: 0, answers([4, 9]), voices: ["q1": sound(4), "q2": sound(4)])
        #expect(review.entries.map(\.telling.name) == ["Voice 1", "You 1", "Voice 2", "You 2"])
        #expect(review.entries[0].source == .voice(question: "q1"))
        #expect(review.outcome.verdict == "Not yet. 1 of 2 took about as long as the voice did.")
        #expect(review.speech == 13)
    }

    @Test func tellingsHaveTheNamesOfTheirDrill() {
        func names(_ drill: SpokenDrill) -> [String] {
            DrillReview(drill, target: 1, answers([70, 50, 40])).entries.map(\.telling.name)
        }
        #expect(names(.fourThreeTwo) == ["First", "Second", "Third"])
        #expect(names(.pauseLess) == ["Answer 1", "Answer 2", "Answer 3"])
        #expect(
            DrillReview(.fourThreeTwo, target: 0, answers([70, 50, 40])).outcome.verdict.hasPrefix("Reached. 3 of"))
    }

    @Test func theAnswerOfTheExamComesFirst() {
        let before = Telling(name: "Before", timeline: sound(3))
        let review = DrillReview(.again, target: 0, answers([5]), after: before)
        #expect(review.entries.map(\.telling.name) == ["Before", "Now"] && review.entries[0].source == .before)
        #expect(review.outcome.sentence.hasPrefix("From 3 to 5 seconds of speech"))
    }

    @Test func onlyAnswersThatCountAreCompared() {
        let review = DrillReview(.pauseLess, target: 1, answers([5], isPractice: true))
        #expect(review.entries.isEmpty && review.outcome.sentence == "Nothing was said.")
    }
}
