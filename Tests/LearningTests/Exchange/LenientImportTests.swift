import ExamCore
import Papers
import SystemSupport
import Testing

@testable import Learning

/// Tests of files of which the good questions are taken, and the others become drafts.
@Suite struct LenientImportTests {
    private func file(_ text: String, _ format: PackFormat, _ name: String = "x") -> QuestionFile {
        QuestionFile(Array(text.utf8), format, name: name)
    }

    private func imported(
        _ files: QuestionFile..., defaults: PackDefaults = .init(), previous: QuestionPack? = nil,
        others: [PracticeQuestion] = []
    ) throws -> PackImport {
        try PackImport(files, id: "bread", defaults: defaults, previous: previous, others: others, rigour: .lenient)
    }

    private static let gift = """
        What do you cut bread with?{~a fork =a knife#It has an edge.}

        Tell me about the bread of your childhood.{}

        Who?{=I =you ~they}

        How hot is the oven?{#230:10}
        """

    /// One essay does not keep the other questions out.
    @Test func theGoodAreTakenAndTheOthersBecomeDrafts() throws {
        let new = try imported(file(Self.gift, .gift, "bread.gift"))
        #expect(new.pack.questions.map(\.prompt) == ["What do you cut bread with?", "How hot is the oven?"])
        #expect(new.pack.questions.map(\.id) == ["bread-1", "bread-2"])
        try #require(new.drafts.count == 2)
        #expect(new.drafts.map(\.id) == ["bread-draft-1", "bread-draft-2"])
        #expect(new.drafts.map(\.source) == ["bread.gift:3", "bread.gift:5"])
        #expect(new.drafts[0].original == "Tell me about the bread of your childhood.{}")
        #expect(new.drafts[0].problems.count == 1 && new.drafts[0].problems[0].contains("not-read: essays"))
        #expect(new.drafts[1].problems[0].contains("several right options are not supported"))
        #expect(new.draftMistakes.map(\.mistake.line) == [3, 5] && new.refused.isEmpty)
        // The same file is refused as a whole if the import is strict.
        #expect(throws: PackMistakes.self) {
            try PackImport([file(Self.gift, .gift)], id: "bread", rigour: .strictDespiteFlaws)
        }
    }

    @Test func missingFactsAreFilledInAndCounted() throws {
        let new = try imported(file(Self.gift, .gift))
        #expect(new.filled == FilledFacts(topics: 2, difficulties: 2, explanations: 1))
        let (first, second) = (new.pack.questions[0], new.pack.questions[1])
        #expect(first.topic == "bread" && first.difficulty == .medium && first.explanation == "It has an edge.")
        #expect(second.explanation == "The right answer is \"230\". No reason was given with the question.")
        #expect(
            new.filled.sentences(topic: "bread") == [
                "2 questions had no topic that can be used: it is now \"bread\"; set it with --topic",
                "2 questions had no difficulty: it is now Medium; set it with --difficulty",
                "1 question had no explanation: it now repeats the right answer; set it with --explanation",
            ])
        let told = try imported(
            file(Self.gift, .gift), defaults: .init(topic: "Baking", difficulty: .easy, explanation: "So it is."))
        #expect(told.filled == FilledFacts() && told.pack.questions.allSatisfy { $0.topic == "baking" })
    }

    /// Reads the reference app's own file as it is.
    @Test func theListOfAQuizAppNeedsNoOptions() throws {
        let text = """
            [
             {"question":"What is the capital of France?","options":["Paris","London","Rome","Berlin"],"answerIndex":0,\
            "explanation":"Paris is the capital.","isAnswered":false,"isCorrect":false},
             {"question":"2 + 2 = ?","options":["3","4","5","22"],"answerIndex":1,"explanation":"2+2 is 4"}
            ]
            """
        let new = try imported(file(text, .quiz, "questions.json"))
        #expect(new.drafts.isEmpty && new.pack.questions.count == 2 && new.refused.isEmpty)
        #expect(new.pack.questions[1].key == .multipleChoice(.init(options: ["3", "4", "5", "22"], correct: 1)))
        // The explanation is short, which is reported.
        #expect(new.flaws.map(\.mistake.code).contains("length"))
    }

    @Test func smartQuotesAreSimplifiedAndCounted() throws {
        let text = "prompt,option_1,option_2,correct\nWhat does “break a leg” mean&hellip; here?,good luck,bad luck,1\n"
        let new = try imported(file(text, .csv))
        #expect(new.pack.questions.map(\.prompt) == ["What does \"break a leg\" mean... here?"])
        #expect(new.typography.sentence == "2 quotation marks, 1 ellipsis, 1 HTML entity")
    }

    @Test func questionsOfAnyScriptAreTaken() throws {
        let text = """
            prompt,option_1,option_2,correct,topic
            आज मौसम कैसा है?,अच्छा,बुरा,1,मौसम
            เมืองหลวงของประเทศไทยคือเมืองอะไร,กรุงเทพฯ,เชียงใหม่,1,ภูมิศาสตร์
            水は何度で沸騰しますか？,100°,50½°,1,科学
            """
        let new = try imported(file(text, .csv))
        #expect(new.pack.questions.count == 3 && new.drafts.isEmpty, "\(new.draftMistakes.map(\.sentence))")
        #expect(new.flaws.allSatisfy { $0.mistake.code != "stem" }, "\(new.flaws.map(\.sentence))")
        #expect(new.pack.questions.map(\.topic) == ["मौसम", "ภูมิศาสตร์", "科学"] && new.filled.topics == 0)
    }

    @Test(arguments: ["\u{7}", "\u{202E}", "\u{E000}", "\u{FFFD}", "\u{FFFC}"])
    func charactersThatMayDeceiveAreRefused(_ odd: String) throws {
        let new = try imported(file("What do you\(odd) cut bread with?{~a fork =a knife}", .gift))
        #expect(new.pack.questions.isEmpty && new.draftMistakes.map(\.mistake.code) == ["plain-text"])
    }

    @Test func answersThatCannotBeGivenAreRefusedByName() throws {
        let new = try imported(file("Which mark ends a question?{=? =question mark}", .gift))
        #expect(new.pack.questions.isEmpty && new.drafts.count == 1)
        #expect(new.draftMistakes.first?.sentence.contains("\"?\" can never be given") == true)
    }

    @Test func anUnreadableFileIsRefusedBesideGoodOnes() throws {
        let new = try imported(file("\u{FEFF}[", .quiz, "bad.json"), file(Self.gift, .gift, "good.gift"))
        #expect(new.refused.map(\.file) == ["bad.json"] && new.pack.questions.count == 2)
        #expect(throws: PackMistakes.self) { try imported(file("[", .quiz, "bad.json")) }
    }

    @Test func theSameQuestionTwiceIsADraft() throws {
        let text = "Which gas do plants take in?{=carbon dioxide ~neon}"
        let new = try imported(file("\(text)\n\n\(text)\n\nWhich gas do plants take in?{=oxygen ~argon}", .gift))
        #expect(new.pack.questions.count == 2 && new.drafts.count == 1)
        #expect(new.draftMistakes.map(\.mistake.code) == ["duplicate"])
    }

    // MARK: - Drafts

    @Test func aMendedDraftJoinsItsPack() throws {
        let new = try imported(file(Self.gift, .gift, "bread.gift"))
        var draft = try ImportDraft.read(from: JSONFile.encode(new.drafts[0]), name: "d")
        #expect(draft == new.drafts[0])
        #expect(throws: PackMistakes.self) { try draft.mended(into: new.pack, others: []) }
        draft.question.prompt = "Which bread did you eat as a child?"
        draft.question.fillInTheBlank = .init(accepted: ["rye"])
        let mended = try draft.mended(into: new.pack, others: [])
        #expect(mended.pack.questions.map(\.id) == ["bread-3"] && mended.pack.highestNumber == 3)
        // It may not repeat a question of its pack.
        draft.question.prompt = new.pack.questions[1].prompt
        #expect(throws: PackMistakes.self) { try draft.mended(into: new.pack, others: []) }
    }

    /// A key that was not read must not become the first option.
    @Test func aDraftHasNoGuessedKey() throws {
        let files = [
            file("prompt,option_1,option_2,correct\nWhat cuts bread?,a fork,a knife,seven\n", .csv),
            file(#"[{"question": "What cuts bread?", "options": ["a fork", "a knife"]}]"#, .quiz),
            file("What cuts bread?\nA. a fork\nB. a knife\nANSWER: Z\n", .aiken),
        ]
        for file in files {
            let draft = try #require(imported(file).drafts.first)
            #expect(draft.question.multipleChoice?.correct == -1)
            #expect(throws: PackMistakes.self) { try draft.mended(into: nil, others: []) }
        }
        let number = try #require(imported(file("prompt,value\nHow long is it?,three\n", .csv)).drafts.first)
        #expect(number.question.calculation == nil && number.original?.contains("value: three") == true)
    }

    // MARK: - Size

    /// Questions that share most words are told apart, and keep their ids when they are imported again.
    @Test func hundredsOfSimilarQuestionsAreToldApart() throws {
        let rows = (0..<400).map {
            "How much is \($0) plus \($0 * 7 + 3)?,\($0 * 8 + 3),\($0 * 8 + 4),\($0 * 8 + 13),1,It is the sum of the two numbers."
        }
        let text = "prompt,option_1,option_2,option_3,correct,explanation\n" + rows.joined(separator: "\n")
        let new = try imported(file(text, .csv))
        #expect(new.pack.questions.count == 400, "\(new.draftMistakes.prefix(3).map(\.sentence))")
        let again = try imported(file(text, .csv), previous: new.pack)
        #expect(again.pack.questions.map(\.id) == new.pack.questions.map(\.id) && again.keptCount == 400)
    }
}
