import SystemSupport
import Testing

@testable import ExamCore
@testable import ExamKit

/// The formats and papers that come with Oracy, compared with the exams that they follow.
@Suite struct BuiltInTests {
    @Test func everyFormatHasAPaperThatFits() throws {
        var papers = Set(Paper.builtInNames)
        for name in ExamFormat.builtInNames {
            let format = try ExamFormat.builtIn(name)
            #expect(format.id == name)
            let fitting = try Paper.builtInNames.filter { paper in
                let (script, validation) = try ExamScript.assemble(format, .builtIn(paper))
                return script != nil && validation == Validation()
            }
            // The papers of the other formats are drawn. `DrawTests` covers those.
            if ["ielts-style", "ieltspeak", "questions", "toefl-2026"].contains(name) {
                #expect(fitting != [], "\(name)")
            }
            papers.subtract(fitting)
        }
        #expect(papers == [], "papers that fit no format")
    }

    @Test(arguments: Paper.builtInNames)
    func aPaperIsCalledByItsID(_ name: String) throws {
        #expect(try Paper.builtIn(name).id == name)
    }

    @Test func anUnknownNameIsAnsweredWithTheKnownOnes() {
        let format = #expect(throws: Problem.self) { try ExamFormat.builtIn("gmat") }
        #expect(format?.kind == .missing)
        #expect(format?.sentence.contains("format \"gmat\": does not exist") == true)
        for name in ExamFormat.builtInNames { #expect(format?.sentence.contains(name) == true) }
        let paper = #expect(throws: Problem.self) { try Paper.builtIn("bridge") }
        #expect(paper?.kind == .missing)
        #expect(paper?.sentence.contains("paper \"bridge\": does not exist") == true)
        for name in Paper.builtInNames { #expect(paper?.sentence.contains(name) == true) }
    }

    @Test func namesAreSpokenAsAPersonLists() {
        #expect(["a"].spoken == "a")
        #expect(["a", "b"].spoken == "a or b")
        #expect(["a", "b", "c"].spoken == "a, b or c")
    }

    // MARK: - IELTS-style

    @Test func threePartsTakeFourteenMinutesAtMost() throws {
        let script = try script("ielts-style", "bridges")
        #expect(script.parts.map(\.number) == [1, 2, 3])
        #expect(script.parts.map(\.hardEnd) == [.seconds(300), .seconds(240), .seconds(300)])
        #expect(script.hardCap == .seconds(840))
        #expect(script.lastAnswerEnd < script.hardCap, "the goodbye fits before the end")
        // No question begins after the shorter official length of its part: 4, 3 and 4 minutes.
        let latest = (0..<3).map { part in script.turns.filter { $0.part == part }.compactMap(\.notAfter).max() }
        #expect(latest == [.seconds(240), .seconds(180), .seconds(240)])
    }

    /// In Parts 1 and 3, only the part's clock limits an answer.
    @Test func noAnswerOfPartsOneAndThreeHasALimitOfItsOwn() throws {
        let answers = try script("ielts-style", "bridges").turns.filter { $0.part != 1 }.compactMap(\.answer)
        #expect(answers.count > 20)
        #expect(answers.allSatisfy { $0.maximum == nil && $0.minimum == .zero && $0.silence != nil })
    }

    /// Part 1 has the introduction with the identity document, then home or work, then two topics.
    @Test func partOneIsTheIntroductionAndThreeTopics() throws {
        let turns = try script("ielts-style", "bridges").turns.filter { $0.part == 0 }
        #expect(turns.prefix(5).map(\.id) == ["greeting", "full-name", "short-name", "where-from", "identity"])
        #expect(turns.prefix(5).allSatisfy { $0.notAfter == nil })
        let leads = turns.flatMap(\.prompt).map(\.id).filter { $0.hasSuffix(".lead") }
        #expect(leads == ["home.lead", "mornings.lead", "maps.lead"])
        let questions = turns.dropFirst(5)
        #expect((12...15).contains(questions.count), "about twelve are asked")
        #expect(questions.allSatisfy { $0.notAfter != nil })
    }

    @Test func thePreparationIsAMinuteWithNotes() throws {
        let preparation = try #require(card().preparation)
        #expect(preparation.length == .seconds(60))
        #expect(preparation.skippableAfter == .seconds(10))
        #expect(preparation.notes)
        #expect(preparation.start != nil, "A15: the examiner says when to begin")
    }

    /// The talk counts from its first word, and lasts one to two minutes.
    @Test func theTalkLastsOneToTwoMinutesFromItsFirstWord() throws {
        let rule = try #require(card().answer)
        #expect(rule.minimum == .seconds(60))
        #expect(rule.maximum == .seconds(120))
        #expect(rule.clockStart == .firstWord)
        #expect(rule.interruption != nil, "the examiner says when to stop")
        #expect(rule.whenPausing.contains { $0.clip != nil }, "a pause before the minute is prompted")
        #expect(rule.repeats == [], "the card can be read")
    }

    @Test func theCardHasPointsAndSomethingToExplain() throws {
        let card = try #require(card().card)
        #expect((3...4).contains(card.points.count))
        #expect(card.explain.hasPrefix("and explain"))
        #expect(try self.card().prompt.last?.text.hasSuffix(card.topic) == true, "its first line is read aloud")
    }

    /// The questions are skipped if the talk has used up the time.
    @Test func oneOrTwoQuestionsRoundOffTheTalkIfThereIsTime() throws {
        let turns = try script("ielts-style", "bridges").turns.filter { $0.part == 1 }
        let after = turns.drop { $0.card != nil }
        #expect((1...2).contains(after.count))
        #expect(after.allSatisfy { $0.answer != nil && $0.card == nil && $0.notAfter == .seconds(180) })
    }

    /// Part 3 continues the subject of the card.
    @Test func theDiscussionIsAboutTheCard() throws {
        let paper = try Paper.builtIn("bridges")
        let frames = try #require(paper.sections["discussion"]) + #require(paper.sections["rounding-off"])
        #expect(try frames.map(\.about) == Array(repeating: card().id, count: frames.count))
        let asked = try script("ielts-style", "bridges").turns.filter { $0.part == 2 }.map(\.id)
        #expect(asked.dropLast() == paper.sections["discussion"]!.flatMap(\.questions).map(\.id)[...])
    }

    /// Part 1 repeats the exact words. Part 3 may rephrase and explain.
    @Test func partOneRepeatsAndPartThreeRephrases() throws {
        let script = try script("ielts-style", "bridges")
        for turn in script.turns where turn.part == 0 && turn.notAfter != nil {
            #expect(turn.answer?.repeats == [turn.prompt.last!])
        }
        for turn in script.turns where turn.part == 2 && turn.answer != nil {
            #expect(turn.answer?.repeats.count == 2)
            #expect(turn.answer?.repeats.contains(turn.prompt.last!) == false)
        }
    }

    /// In Parts 1 and 3, the examiner asks "why" after an answer that is too short.
    @Test func tooShortAnAnswerIsAskedWhyInPartsOneAndThree() throws {
        let turns = try script("ielts-style", "bridges").turns.filter { $0.part != 1 && $0.notAfter != nil }
        #expect(!turns.isEmpty)
        for turn in turns {
            #expect(turn.answer?.followUp != nil, "\(turn.id)")
            #expect(turn.answer?.followUpUnder != nil, "\(turn.id)")
        }
    }

    /// The examiner never waits without end.
    @Test(arguments: ["ielts-style", "ieltspeak", "questions"])
    func everySilenceIsPromptedAndThenLeft(_ name: String) throws {
        for rule in try script(name, "bridges").turns.compactMap(\.answer) {
            #expect(rule.whenSilent.count >= 2)
            #expect(rule.whenSilent.dropLast().allSatisfy { $0.clip != nil })
            #expect(rule.whenSilent.last?.clip == nil)
        }
    }

    @Test(arguments: [
        ("ielts-style", "bridges"), ("ieltspeak", "bridges"), ("toefl-2026", "echoes"), ("questions", "bridges"),
    ])
    func theExamEndsWithAGoodbye(_ format: String, _ paper: String) throws {
        let script = try script(format, paper)
        #expect(script.closingTurns.map { script.turns[$0].id } == ["goodbye"])
    }

    // MARK: - Other formats

    /// The format has the times of the app that it follows.
    @Test func ieltspeakHasTheReferenceAppsNumbers() throws {
        let script = try script("ieltspeak", "bridges")
        #expect(script.warnings == [.seconds(5)])
        #expect(script.clipGap == .seconds(1.5))
        #expect(script.turnGap == .seconds(1))
        #expect(script.partGap == .milliseconds(500))
        let rules = (0..<3).map { part in script.turns.filter { $0.part == part }.compactMap(\.answer) }
        #expect(!rules[0].isEmpty && !rules[2].isEmpty)
        #expect(rules[0].allSatisfy { $0.maximum == .seconds(30) && $0.silence == .seconds(2) })
        #expect(rules[1].map(\.maximum) == [.seconds(120)])
        #expect(rules[1].map(\.silence) == [.seconds(3)])
        #expect(rules[2].allSatisfy { $0.maximum == .seconds(45) && $0.silence == .seconds(3) })
        #expect(script.turns.compactMap(\.preparation?.length) == [.seconds(60)])
        #expect(script.parts.allSatisfy { $0.hardEnd == nil }, "it has no part clocks")
    }

    @Test func toeflHasSevenRepetitionsAndFourInterviewAnswers() throws {
        let script = try script("toefl-2026", "echoes")
        let windows = (0..<2).map { part in script.turns.filter { $0.part == part }.compactMap(\.answer?.maximum) }
        #expect(windows[0] == [8, 8, 10, 10, 10, 12, 12].map { .seconds($0) })
        #expect(windows[1] == [45, 45, 45, 45].map { .seconds($0) })
        for rule in script.turns.compactMap(\.answer) {
            #expect(rule.silence == nil, "silence ends nothing")
            #expect(rule.repeats == [] && rule.refusal == nil, "each is heard once")
            #expect(rule.interruption == nil, "the window closes without a word")
        }
    }

    private func card() throws -> ExamScript.Turn {
        try #require(script("ielts-style", "bridges").turns.first { $0.card != nil })
    }

    private func script(_ format: String, _ paper: String) throws -> ExamScript {
        let (script, validation) = try ExamScript.assemble(.builtIn(format), .builtIn(paper))
        return try #require(script, "\(validation.errors)")
    }
}
