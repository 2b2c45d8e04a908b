import Testing

@testable import ExamCore

/// Tests of sentences to repeat, which are heard and never shown. The examiner's other words are shown.
@Suite struct HiddenWords {
    @Test func theQuestionsWordsAreNeverShown() {
        var exam = Transcript(Self.hidden)
        _ = exam.at(0, .begin)
        #expect(exam.text == "words of opening", "a line is shown while the examiner says it")
        _ = exam.at(2, .promptEnded("opening"))
        #expect(exam.text == nil, "nothing is shown in the pause before the question")
        _ = exam.at(2.5)
        #expect(exam.exam.view(at: seconds(2.5)).activity == .examinerSpeaking)
        #expect(exam.text == nil, "the question is hidden while the examiner says it")
        _ = exam.at(5, .promptEnded("question-1"))
        #expect(exam.text == nil, "the question is hidden before the candidate speaks")
        _ = exam.at(6, .voiceBegan(seconds(6)))
        #expect(exam.text == nil, "the question is hidden while the candidate answers")
        _ = exam.at(8, .voiceEnded(seconds(8)))
        #expect(exam.text == nil, "the question is hidden after the answer")
        _ = exam.at(10.5)
        #expect(exam.text == "words of goodbye")
    }

    @Test func aRepeatShowsThemNoMoreThanTheQuestionDid() {
        var exam = Transcript(Self.hidden)
        _ = exam.at(0, .begin)
        _ = exam.at(2, .promptEnded("opening"))
        _ = exam.at(5, .promptEnded("question-1"))
        #expect(exam.at(6, .asked(.repeat)).last?.command == .play(SmallExam.clip("question-1")))
        #expect(exam.text == nil)
    }

    @Test func easierWordsForItAreHiddenToo() {
        var script = Self.hidden
        script.turns[0].answer!.repeats = [SmallExam.clip("easier")]
        script.turns[0].hidden.insert("easier")
        var exam = Transcript(script)
        _ = exam.at(0, .begin)
        _ = exam.at(2, .promptEnded("opening"))
        _ = exam.at(5, .promptEnded("question-1"))
        #expect(exam.at(6, .asked(.repeat)).last?.command == .play(SmallExam.clip("easier")))
        #expect(exam.text == nil)
    }

    @Test func otherLinesOfTheExaminerAreShown() {
        var exam = Transcript(Self.hidden)
        _ = exam.at(0, .begin)
        _ = exam.at(2, .promptEnded("opening"))
        _ = exam.at(5, .promptEnded("question-1"))
        _ = exam.at(10)
        #expect(exam.text == "words of prompt")
        _ = exam.at(11, .promptEnded("prompt"))
        #expect(exam.text == nil)
    }

    @Test func aLostMicrophoneShowsNothingEither() {
        var exam = Transcript(Self.hidden)
        _ = exam.at(0, .begin)
        _ = exam.at(2, .promptEnded("opening"))
        _ = exam.at(3, .deviceLost(.loudspeakerGone))
        #expect(exam.text == nil)
        _ = exam.at(4, .deviceBack)
        _ = exam.at(6, .promptEnded("question-1"))
        _ = exam.at(7, .deviceLost(.microphoneGone))
        #expect(exam.text == nil)
    }

    @Test func preparationShowsNoneOfThem() {
        var script = SmallExam.card()
        script.turns[0].hidden = ["card"]
        var exam = Transcript(script)
        _ = exam.at(0, .begin)
        _ = exam.at(5, .promptEnded("card"))
        #expect(exam.text == nil)
        _ = exam.at(65)
        #expect(exam.text == "words of start")
    }

    @Test func aFormatHidesTheQuestionsOfAnItem() throws {
        var materials = Materials()
        materials.format.parts[0].items[2].textHidden = true
        let turns = try materials.script.turns
        #expect(turns.filter { $0.hidden.contains($0.id) }.map(\.id) == ["home-1", "home-2", "sea-1", "sea-2"])
        var exam = try Transcript(materials.script)
        _ = exam.at(0, .begin)
        #expect(exam.text == "Words of hello.")
    }

    @Test func aFormatHidesALineThatIsAsked() throws {
        var materials = Materials()
        materials.format.parts[0].items[1].textHidden = true
        #expect(try materials.script.turns.filter { $0.hidden.contains($0.id) }.map(\.id) == ["name"])
    }

    @Test func aFormatSaysWhatRepeatingIsWorth() throws {
        var materials = Materials()
        let table: [ExamFormat.WordPoints] = [
            .init(atLeast: 1, points: 3, exactly: true), .init(atLeast: 1, points: 2), .init(atLeast: 0, points: 0),
        ]
        materials.format.parts[0].items[2].wordSequence = table
        #expect(try materials.script.turns.first { $0.id == "home-1" }?.wordSequence == table)
        #expect(try materials.script.turns.first { $0.id == "name" }?.wordSequence == [])
    }

    @Test(
        arguments: [
            ([], "must end with what is left: { \"atLeast\": 0, \"points\": 0 }"),
            ([.init(atLeast: 0.5, points: 2)], "must end with what is left: { \"atLeast\": 0, \"points\": 0 }"),
            (
                [.init(atLeast: 50, points: 2), .init(atLeast: 0, points: 0)],
                "has atLeast 50.0 and points 2.0; use 0 to 1, and 0 to 100"
            ),
            (
                [.init(atLeast: 0.5, points: 2), .init(atLeast: 0.8, points: 1), .init(atLeast: 0, points: 0)],
                "must fall from row to row, atLeast and points alike"
            ),
            (
                [.init(atLeast: 0.5, points: 2), .init(atLeast: 0, points: 2)],
                "must fall from row to row, atLeast and points alike"
            ),
        ] as [([ExamFormat.WordPoints], String)])
    func anInvalidTableIsReported(_ table: [ExamFormat.WordPoints], _ words: String) {
        var materials = Materials()
        materials.format.parts[0].items[2].wordSequence = table
        let errors = materials.assembled.validation.errors
        #expect(errors.count == 1 && errors.first?.hasSuffix(".wordSequence: \(words)") == true, "\(errors)")
    }

    /// A sentence to repeat, after a line that is shown.
    private static var hidden: ExamScript {
        var script = SmallExam.oneQuestion()
        script.turns[0].prompt.insert(SmallExam.clip("opening"), at: 0)
        script.turns[0].hidden = ["question-1"]
        return script
    }
}

extension Transcript {
    /// The words that are shown now.
    fileprivate var text: String? { exam.view(at: clock + exam.suspended).text }
}
