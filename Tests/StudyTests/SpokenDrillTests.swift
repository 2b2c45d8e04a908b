import Assessment
import ExamCore
import Testing

@testable import Study

@Suite struct SpokenDrillTests {
    private static let card = Paper.Question(
        id: "card-1", text: "Describe a meal.",
        card: Paper.Card(
            topic: "Describe a meal.", points: ["what it was", "when it was", "who was there"],
            explain: "and explain why you remember it."))
    private static let sentences = ["a", "b"].map { Paper.Question(id: $0, text: "This is sentence \($0).") }

    private func questions(_ drill: SpokenDrill) -> [Paper.Question] {
        drill == .fourThreeTwo ? [Self.card] : Self.sentences
    }

    /// - Parameter runs: The seconds of speech between pauses of half a second, with four syllables per second.
    private func telling(_ runs: [Double]) -> Telling {
        var (now, silences, syllables) = (0.5, [TimeRange](), [Double]())
        for (place, run) in runs.enumerated() {
            syllables += stride(from: now, to: now + run, by: 0.25)
            now += run
            if place + 1 < runs.count {
                silences.append(TimeRange(now, now + 0.5))
                now += 0.5
            }
        }
        return Telling(
            name: "x",
            timeline: SoundTimeline(
                duration: now + 0.5, span: runs.isEmpty ? nil : TimeRange(0.5, now), silences: silences,
                syllables: syllables))
    }

    @Test(arguments: SpokenDrill.allCases) func eachIsAnExamWithoutAWarning(_ drill: SpokenDrill) throws {
        let format = try drill.format(target: drill.usualTarget)
        let (script, validation) = ExamScript.assemble(format, drill.paper(of: questions(drill)))
        #expect(script != nil && validation.errors.isEmpty && validation.warnings.isEmpty, "\(validation)")
        #expect(script?.turns.count { $0.answer != nil } == (drill == .fourThreeTwo ? 3 : 2))
        #expect(format.title == drill.title || drill == .fourThreeTwo)
    }

    @Test func aTalkIsToldInLessAndLessTime() throws {
        let format = try SpokenDrill.fourThreeTwo.format(target: 0)
        #expect(
            ["first", "second", "third"].map { format.rules[$0]?.maximum?.duration } == [
                .seconds(120), .seconds(90), .seconds(60),
            ])
        let outcome = SpokenDrill.fourThreeTwo.outcome([telling([70]), telling([40, 30]), telling([40])], target: 0)
        #expect(
            outcome.isReached
                && outcome.sentence.hasPrefix("3 of 3 tellings lasted at least half of their time. From 4 to 4"))
        let short = SpokenDrill.fourThreeTwo.outcome([telling([70]), telling([20]), telling([40])], target: 0)
        #expect(!short.isReached && short.sentence.hasPrefix("2 of 3"))
        #expect(!SpokenDrill.fourThreeTwo.outcome([telling([70])], target: 0).isReached)
    }

    @Test func anAnswerHasToReachItsSeconds() throws {
        #expect(
            try SpokenDrill.oneMoreSentence.format(target: 45).rules["one-more-sentence"]?.minimum?.duration
                == .seconds(45))
        let outcome = SpokenDrill.oneMoreSentence.outcome([telling([20, 11]), telling([20])], target: 30)
        #expect(!outcome.isReached && outcome.sentence == "1 of 2 answers reached 30 seconds of speech.")
        #expect(SpokenDrill.oneMoreSentence.outcome([telling([31])], target: 30).isReached)
    }

    @Test func runsAreCountedOverAllAnswers() {
        // Four syllables per second give runs of 4 and of 8.
        let outcome = SpokenDrill.pauseLess.outcome([telling([1, 1]), telling([2])], target: 5)
        #expect(
            outcome.isReached && outcome.sentence == "5.3 syllables between two pauses on average; the target was 5.")
        #expect(!SpokenDrill.pauseLess.outcome([telling([1, 1]), telling([2])], target: 5.5).isReached)
        #expect(SpokenDrill.pauseLess.outcome([telling([])], target: 1).sentence == "Nothing was said.")
    }

    @Test func shadowingTakesAsLongAsTheVoice() {
        let outcome = SpokenDrill.repeatAfterMe.outcome(
            [telling([4]), telling([2]), telling([4.5])], model: [telling([4]), telling([4]), telling([4])], target: 0)
        #expect(outcome.isReached && outcome.sentence == "2 of 3 took about as long as the voice did.")
    }
}
