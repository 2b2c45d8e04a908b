import Testing

@testable import ExamCore

/// Tests of features for other formats: pictures, alternatives, a tone, answers that are begun again, and shared
/// preparation.
@Suite struct TaskTurns {
    // MARK: - Alternatives

    @Test func aCandidateChoosesWhilePreparing() {
        var exam = Transcript(Self.choice)
        _ = exam.at(0, .begin)
        _ = exam.at(5, .promptEnded("card"))
        #expect(exam.view.allowed == [.first, .second, .withdraw] && exam.view.chosen == nil)
        #expect(exam.at(10, .asked(.second)) == [Timed(10, .choose(turn: 0, 1))])
        #expect(exam.view.allowed == [.first, .withdraw] && exam.view.chosen == 1)
        #expect(exam.at(11, .asked(.second)) == [], "the alternative is already chosen")
        #expect(exam.at(12, .asked(.first)) == [Timed(12, .choose(turn: 0, 0))])
        _ = exam.at(13, .asked(.second))
        #expect(
            exam.at(65).last == Timed(65, .play(SmallExam.clip("start"))), "the exam does not choose for the candidate")
        _ = exam.at(66, .promptEnded("start"))
        #expect(exam.at(67, .asked(.first)) == [], "the time to choose ends with the preparation")
        #expect(exam.view.chosen == 1)
    }

    @Test func theFirstAlternativeIsTheDefault() {
        var exam = Transcript(Self.choice)
        _ = exam.at(0, .begin)
        _ = exam.at(5, .promptEnded("card"))
        #expect(
            exam.at(65).suffix(2) == [Timed(65, .choose(turn: 0, 0)), Timed(65, .play(SmallExam.clip("start")))])
        #expect(exam.view.chosen == 0)
    }

    @Test(arguments: [(Wish.second, "second-way"), (.first, "first-way")])
    func theNextQuestionDependsOnTheChoice(_ wish: Wish, _ next: String) {
        var exam = Transcript(Self.ways)
        _ = exam.at(0, .begin)
        _ = exam.at(2, .promptEnded("question-1"))
        _ = exam.at(3, .asked(wish))
        _ = exam.speech(from: 3.5, to: 5)
        let played = exam.at(9).compactMap { if case .play(let clip) = $0.command { clip.id } else { nil } }
        #expect(played == [next])
        _ = exam.at(10, .promptEnded(next))
        _ = exam.speech(from: 10.5, to: 12)
        #expect(
            exam.at(16).map(\.command).contains(.play(SmallExam.clip("goodbye"))),
            "questions for the other choice are skipped")
    }

    @Test func silenceChoosesTheFirst() {
        var exam = Transcript(Self.ways)
        _ = exam.at(0, .begin)
        _ = exam.at(2, .promptEnded("question-1"))
        _ = exam.speech(from: 3.5, to: 5)
        let commands = exam.at(9).map(\.command)
        #expect(commands.contains(.choose(turn: 0, 0)) && commands.contains(.play(SmallExam.clip("first-way"))))
    }

    // MARK: - A tone, and beginning again

    @Test func aToneComesBeforeTheAnswerAndShowsTheQuestion() {
        var rule = SmallExam.question
        rule.beep = .beep
        var exam = Transcript(SmallExam.oneQuestion(rule))
        _ = exam.at(0, .begin)
        #expect(exam.at(2, .promptEnded("question-1")) == [Timed(2, .play(.beep))])
        #expect(exam.view.text == "words of question-1" && exam.view.activity == .examinerSpeaking)
        #expect(exam.at(2.3, .promptEnded("beep")) == [Timed(2.3, .openTake(take))])
    }

    @Test func anAnswerIsBegunAgainAsOftenAsIsAllowed() {
        var rule = SmallExam.question
        rule.attempts = 3
        var exam = Transcript(SmallExam.oneQuestion(rule))
        _ = exam.at(0, .begin)
        _ = exam.at(2, .promptEnded("question-1"))
        for attempt in 1...2 {
            let began = Double(attempt * 4)
            #expect(exam.view.allowed.contains(.again))
            #expect(
                exam.at(began, .asked(.again)).map(\.command)
                    == [.closeTake(.init(turn: 0, attempt: attempt), .startedAgain)])
            #expect(exam.at(began + 0.1).map(\.command) == [.play(SmallExam.clip("question-1"))])
            #expect(
                exam.at(began + 2, .promptEnded("question-1")).map(\.command)
                    == [.openTake(.init(turn: 0, attempt: attempt + 1))])
        }
        #expect(!exam.view.allowed.contains(.again))
        #expect(exam.at(11, .asked(.again)) == [], "the third answer stands")
    }

    @Test func preparationIsGivenOnce() {
        var script = SmallExam.card()
        script.turns[0].answer?.attempts = 2
        var exam = Transcript(script)
        _ = exam.at(0, .begin)
        _ = exam.at(5, .promptEnded("card"))
        _ = exam.at(66, .promptEnded("start"))
        #expect(exam.at(70, .asked(.again)).map(\.command) == [.closeTake(take, .startedAgain)])
        #expect(exam.at(70.1).map(\.command) == [.play(SmallExam.clip("start"))])
    }

    @Test func aLostMicrophoneTakesNoAttempt() {
        var rule = SmallExam.question
        rule.attempts = 2
        var exam = Transcript(SmallExam.oneQuestion(rule))
        _ = exam.at(0, .begin)
        _ = exam.at(2, .promptEnded("question-1"))
        _ = exam.at(4, .deviceLost(.microphoneGone))
        _ = exam.at(5, .deviceBack)
        _ = exam.at(8, .promptEnded("question-1"))
        #expect(exam.view.allowed.contains(.again) && exam.view.recording?.attempt == 2)
    }

    // MARK: - The script

    @Test func aPassageIsHeardAndNeverShown() throws {
        var materials = Materials()
        materials.paper.sections["topics"]![0].passage = Paper.Prompt(text: "A long talk.")
        materials.format.rules["short"]?.repeats = .init(limit: 2, wording: .same)
        let turn = try #require(try materials.script.turns.first { $0.id == "home-1" })
        #expect(turn.prompt.map(\.id).suffix(2) == ["home.passage", "home-1"] && turn.hidden == ["home.passage"])
        #expect(turn.question == turn.prompt.last?.text)
        let second = try #require(try materials.script.turns.first { $0.id == "home-2" })
        #expect(second.hidden == [] && !second.prompt.contains { $0.id == "home.passage" })
    }

    @Test func textToReadAloudIsShownAndNotSpoken() throws {
        var materials = Materials()
        materials.format.parts[0].items[2].readAloud = true
        #expect(materials.assembled.validation.errors.count == 1, "a line has to say what to do")
        materials.format.parts[0].items[2].before = ["hello"]
        let turn = try #require(try materials.script.turns.first { $0.id == "home-1" })
        #expect(turn.toRead != nil && turn.question == turn.toRead && turn.prompt.last?.id == "hello")
        var exam = Transcript(SmallExam.script([turn]))
        _ = exam.at(0, .begin)
        for clip in turn.prompt {
            _ = exam.at(Double(exam.clock.sinceBegin.milliseconds) / 1000 + 2, .promptEnded(clip.id))
        }
        #expect(exam.view.text == turn.toRead)
    }

    @Test func questionsThatArePreparedTogetherAreShownTogether() throws {
        var materials = Materials()
        materials.format.parts[0].preparation = .init(
            length: Seconds(.seconds(120)), skippableAfter: nil, notes: true, start: nil)
        let turns = try materials.script.turns.filter { $0.part == 0 && $0.answer != nil }
        #expect(turns[0].together.map(\.text) == turns.map { $0.question ?? "" } && turns.count > 2)
        #expect(turns[0].preparation?.length == .seconds(120))
        #expect(turns.dropFirst().allSatisfy { $0.preparation == nil && $0.preparedIn == turns[0].id })
        materials.options.question = turns[2].id
        let alone = try materials.script.turns
        #expect(
            alone.map(\.id) == [turns[2].id] && alone[0].preparation?.length == .seconds(120),
            "the part's preparation belongs to the only question")
    }

    @Test func twoWaysAreCountedAsOne() throws {
        var materials = Materials()
        materials.format.parts[0].items[1].alternatives = [.init(title: "one"), .init(title: "other")]
        materials.format.lines["one-way"] = .init(text: "One way.")
        materials.format.lines["other-way"] = .init(text: "Other way.")
        let rules = materials.format.parts[0].items[1].rules
        for (place, line) in ["one-way", "other-way"].enumerated() {
            materials.format.parts[0].items.insert(
                .init(ask: line, rules: rules, when: .init(line: "name", chose: place + 1)), at: 2 + place)
        }
        let orders = Dictionary(
            uniqueKeysWithValues: try materials.script.turns.filter { $0.part == 0 }.map { ($0.id, $0.order) })
        #expect(orders["one-way"] == 2 && orders["other-way"] == 2 && orders["home-1"] == 3)
    }

    @Test(arguments: [
        (
            "parts[1].items[0].when.line",
            "is \"missing\", and no item before it in this part asks that with alternatives"
        ),
        ("scoring.step", "must be above 0 and at most highest minus lowest"),
        ("language", "is not a language tag, such as \"zh\" or \"en-GB\""),
        ("rules.short.attempts", "is outside 1 to 9"),
    ])
    func eachMistakeIsReported(_ field: String, _ what: String) {
        var materials = Materials()
        materials.format.parts[0].items[0].when = field.hasSuffix("when.line") ? .init(line: "missing", chose: 1) : nil
        if field == "scoring.step" {
            materials.format.scoring = .init(name: "Points", lowest: 0, highest: 9, step: 10, criteria: ["all"])
        }
        if field == "language" { materials.format.language = "中文" }
        if field.hasSuffix("attempts") { materials.format.rules["short"]?.attempts = 0 }
        #expect(materials.assembled.validation.errors == ["format \"small\": \(field): \(what)"])
    }

    @Test(arguments: [
        (Paper.Picture(description: "A tree.", svg: "<html>"), ".svg: does not begin with <svg"),
        (Paper.Picture(description: "A tree.", png: "R0lGOD"), ".png: is not a PNG file in Base64"),
        (Paper.Picture(description: "A tree."), ": must have exactly one of svg and png"),
        (
            Paper.Picture(description: "", svg: "<svg></svg>"),
            ": has no description for candidates who cannot see it"
        ),
    ])
    func anInvalidPictureIsRefused(_ picture: Paper.Picture, _ words: String) {
        var materials = Materials()
        materials.paper.sections["topics"]![0].picture = picture
        let errors = materials.assembled.validation.errors
        #expect(errors.count == 1 && errors.first?.hasSuffix("picture\(words)") == true, "\(errors)")
    }

    // MARK: - Exams

    /// A card with alternatives, and a minute to choose and think.
    private static var choice: ExamScript {
        var script = SmallExam.card()
        script.turns[0].alternatives = [.init(title: "The bus"), .init(title: "The train")]
        return script
    }

    /// A question on which two others depend.
    private static var ways: ExamScript {
        var asked = SmallExam.turn("question-1", order: 1, SmallExam.question)
        asked.alternatives = [.init(title: "one"), .init(title: "other")]
        var rule = SmallExam.question
        rule.whenSilent = []
        let ways = ["first-way", "second-way"].enumerated().map { place, id in
            var turn = SmallExam.turn(id, order: 2, rule)
            turn.condition = .init(turn: "question-1", choice: place)
            return turn
        }
        return SmallExam.script([asked] + ways + [SmallExam.turn("goodbye", order: 0, nil)])
    }
}

extension Transcript {
    /// The view at this moment.
    fileprivate var view: ExamView { exam.view(at: clock + exam.suspended) }
}
