import ExamCore
import Papers
import SystemSupport
import Testing

@testable import Learning

/// Tests of files that become a pack, as a whole or not at all, and of the ids of questions that are imported again.
@Suite struct PackImportTests {
    private static let defaults = PackDefaults(
        topic: "Bread", difficulty: .easy, explanation: "People who bake bread at home call it so.")

    private static let asked = [
        "What do bakers call bread that rose twice before it was baked?",
        "Which tool do bakers use to cut a loaf in slices?",
        "Why does dough rest in a warm place for an hour?",
    ]

    private func file(_ prompts: [String], _ name: String = "x.gift") -> QuestionFile {
        let answers = ["slow bread", "saws", "warm yeast grows", "a fourth answer", "a fifth answer"]
        let text = zip(prompts, answers).map { "\($0){=\($1)}" }.joined(separator: "\n\n")
        return QuestionFile(Array(text.utf8), .gift, name: name)
    }

    private func pack(
        _ prompts: [String], previous: QuestionPack? = nil, others: [PracticeQuestion] = []
    ) throws -> QuestionPack {
        try PackImport([file(prompts)], id: "bread", defaults: Self.defaults, previous: previous, others: others).pack
    }

    private func told(_ files: QuestionFile..., defaults: PackDefaults = defaults, others: [PracticeQuestion] = [])
        -> [String]
    {
        do throws(PackMistakes) {
            _ = try PackImport(files, id: "bread", defaults: defaults, others: others)
            return []
        } catch { return error.mistakes.map(\.sentence) }
    }

    /// Takes a question from outside whose right option stands out by its length.
    @Test func questionsMayBeTakenDespiteTheirFlaws() throws {
        let text = "Which gas do plants take in while the sun shines?{=Carbon dioxide gas ~Helium ~Neon ~Argon}"
        let flawed = QuestionFile(Array(text.utf8), .gift, name: "x.gift")
        #expect(told(flawed).first?.contains("key-length") == true)
        let new = try PackImport([flawed], id: "gases", defaults: Self.defaults, rigour: .strictDespiteFlaws)
        #expect(new.pack.questions.count == 1 && new.flaws.first?.sentence.contains("key-length") == true)
        // A question that cannot be used is refused in any case.
        let twice = QuestionFile(Array("Which gas do plants take in?{=neon ~argon ~argon}".utf8), .gift, name: "x.gift")
        #expect(throws: PackMistakes.self) {
            try PackImport([twice], id: "gases", defaults: Self.defaults, rigour: .strictDespiteFlaws)
        }
    }

    // MARK: - Identity

    @Test func questionsWithoutAnIdGetANumber() throws {
        let new = try pack(Self.asked)
        #expect(new.questions.map(\.id) == ["bread-1", "bread-2", "bread-3"] && new.highestNumber == 3)
        #expect(new.questions.allSatisfy { $0.topic == "bread" && $0.difficulty == .easy } && new.title == "bread")
    }

    @Test func anIdStaysWhenTheTextIsMended() throws {
        let first = try pack(Self.asked)
        let mended = Self.asked[1].replacing("a loaf", with: "a large loaf")
        // Another order, one corrected, one removed, one new.
        let second = try PackImport(
            [file([mended, "What colour has the crust of a loaf of rye?", Self.asked[0]])], id: "bread",
            defaults: Self.defaults,
            previous: first)
        #expect(second.pack.questions.map(\.id) == ["bread-2", "bread-4", "bread-1"])
        #expect(second.keptCount == 2 && second.goneCount == 1 && second.pack.highestNumber == 4)
    }

    @Test func noNumberIsGivenTwice() throws {
        var now = try pack(Self.asked)
        now = try pack([Self.asked[0]], previous: now)
        #expect(now.questions.map(\.id) == ["bread-1"] && now.highestNumber == 3)
        // The file also remembers it.
        now = try QuestionPack.read(from: JSONFile.encode(now), name: "x")
        now = try pack([Self.asked[0], Self.asked[2]], previous: now)
        #expect(now.questions.map(\.id) == ["bread-1", "bread-4"])
    }

    /// A question does not take an id that suits another better: the first is similar to the old question, and the
    /// second is the same.
    @Test func theMostSimilarQuestionKeepsTheId() throws {
        let near = Self.asked[1].replacing("a loaf", with: "a large loaf")
        let first = try pack([Self.asked[1]])
        let text = "\(near){=saws}\n\n\(Self.asked[1]){=saws}"
        let read = GIFTReader(text).questions
        let identity = QuestionIdentity(
            read.map { ($0, $0.question(Self.defaults)!) }, in: "bread", previous: first, others: [])
        #expect(identity.ids == ["bread-2", "bread-1"])
    }

    @Test func anIdOfTheFileIsKept() throws {
        let gift =
            "// [id:loaf-7]\n\(Self.asked[0]){=slow}\n\n::My Loaf::\(Self.asked[1]){=saws}\n\n::bread 1::\(Self.asked[2]){=grows}"
        let read = QuestionFile(Array(gift.utf8), .gift, name: "x")
        let first = try pack(Self.asked)
        let new = try PackImport([read], id: "bread", defaults: Self.defaults, previous: first).pack
        #expect(new.questions.map(\.id) == ["loaf-7", "my-loaf", "bread-1"])
    }

    /// Moodle names many questions "Question 1", and some by all of their words.
    @Test func generalHeadingsAreNotIds() throws {
        let long = String(repeating: "long ", count: 20)
        let gift =
            "::Loaf::\(Self.asked[0]){=slow}\n\n::loaf::\(Self.asked[1]){=saws}\n\n::\(long)::\(Self.asked[2]){=grows}"
        let new = try PackImport(
            [QuestionFile(Array(gift.utf8), .gift, name: "x")], id: "bread", defaults: Self.defaults)
        #expect(new.pack.questions.map(\.id) == ["bread-1", "bread-2", "bread-3"])
        // If another pack has the name, the pack's own name is put before it. The id stays even if the other question
        // is removed.
        let other = SampleQuestions.honey.with { $0.id = "question-1" }
        let one = QuestionFile(Array("::Question 1::\(Self.asked[0]){=slow}".utf8), .gift, name: "x")
        let here = try PackImport([one], id: "bread", defaults: Self.defaults, others: [other]).pack
        #expect(here.questions.map(\.id) == ["bread-question-1"])
        #expect(
            try PackImport([one], id: "bread", defaults: Self.defaults, previous: here).pack.questions.map(\.id)
                == ["bread-question-1"])
    }

    // MARK: - Mistakes

    /// Reports what the readers find, and what the rules find in the rest.
    @Test func allMistakesOfAllFilesAreListed() {
        let bad = QuestionFile(
            Array("Tell me.{}\n\n\(Self.asked[0]){=\u{7}}\n\nTell me more.{}".utf8), .gift, name: "bad.gift")
        let odd = QuestionFile(Array("Who?{=I}\n\nPairs.{=a->b}".utf8), .gift, name: "odd.gift")
        let quiz = QuestionFile(Array("[{\"question\": \"Who?\"}]".utf8), .quiz, name: "quiz.json")
        let sentences = told(bad, odd, quiz, file(Array(Self.asked.dropFirst())))
        #expect(
            sentences.map { String($0.prefix { $0 != "," }) } == [
                "bad.gift:1", "bad.gift:3", "bad.gift:5", "odd.gift:1", "odd.gift:3", "quiz.json:1", "quiz.json:1",
            ], "\(sentences)")
        #expect(sentences[1].contains("can never be given") && sentences[3].contains("length: has 1 words"))
    }

    @Test func missingValuesAreAskedFor() {
        #expect(
            told(file([Self.asked[0]]), defaults: .init()) == [
                "x.gift:1, topic, \"\", missing: has no topic; set one for all such questions with --topic",
                """
                x.gift:1, difficulty, "", missing: has no difficulty; set one for all such questions with \
                --difficulty
                """,
                """
                x.gift:1, explanation, "", missing: has no explanation; set one for all such questions with \
                --explanation
                """,
            ])
    }

    @Test func brokenRulesNameTheLineOfTheQuestion() {
        let text = "topic,prompt,option_1,option_2,correct\nbread,\"\n\nWho bakes it?\",Everybody,all of the above,1\n"
        let sentences = told(QuestionFile(Array(text.utf8), .csv, name: "x.csv"))
        #expect(
            sentences.contains { $0.hasPrefix("x.csv:2, option_2, \"all of the above\", other-options: ") },
            "\(sentences)")
        #expect(
            told(file([Self.asked[0], Self.asked[0]])).contains {
                $0.hasPrefix("x.gift:3, prompt, ") && $0.contains("duplicate")
            })
    }

    @Test func idsAreUnique() {
        let text =
            "id,prompt,accepted\nb-1,\(Self.asked[0]),slow\nb-1,\(Self.asked[1]),saws\nhoney-1,\(Self.asked[2]),grows\n"
        #expect(
            told(QuestionFile(Array(text.utf8), .csv, name: "x.csv"), others: [SampleQuestions.honey]) == [
                "x.csv:3, id, \"b-1\", taken: another question has this id: give it another one",
                "x.csv:4, id, \"honey-1\", taken: another question has this id: give it another one",
            ])
    }

    @Test func aKeyOutsideTheOptionsIsReported() {
        let quiz = #"[{"question": "What do bakers cut?", "options": ["Bread", "Soup"], "answerIndex": 2}]"#
        #expect(
            told(QuestionFile(Array(quiz.utf8), .quiz, name: "q")) == [
                "q:1, multipleChoice.correct, \"What do bakers cut?\", key: should be 0 to 1, not 2"
            ])
        #expect(
            told(
                QuestionFile(
                    Array("Who bakes?{=one ~\(Array(repeating: "x", count: 9).joined(separator: "~"))}".utf8), .gift,
                    name: "g"))[0]
                .contains("multipleChoice.options, \"Who bakes?\", key: should be 2 to 9 options"))
    }

    @Test func aFileWithoutQuestionsIsRefused() {
        for format in PackFormat.allCases {
            let sentences = told(QuestionFile(Array(" ".utf8), format, name: "x"))
            #expect(sentences.count == 1 && sentences[0].hasPrefix("x:1, file, "), "\(format): \(sentences)")
            #expect(
                told(QuestionFile([0xFF, 0xFE, 0x69], format, name: "x"))[0].contains("encoding: save it as UTF-8"))
        }
    }

    // MARK: - Packs

    @Test func eachMistakeOfAPackHasItsLineAndField() {
        let pack = """
            {
              "version": 1, "id": "p", "title": "P", "colour": "red",
              "questions": [
                {"id": "a", "topic": "t", "difficulty": "Huge", "prompt": "Who?", "fillInTheBlank": {"accepted": ["I"]}, "explanation": "So."},
                {"id": "b", "topic": "t", "difficulty": "Easy", "prompt": "Who?", "explanation": "So.",
                 "fillInTheBlank": {"accepted": []}},
                {"id": "c", "difficulty": "Easy", "prompt": "Who?", "fillInTheBlank": {"accepted": ["I"]}, "explanation": "So."}
              ]
            }
            """
        let reader = PackReader(Array(pack.utf8))
        #expect(
            reader.mistakes.map { $0.sentence(in: "p.json") } == [
                "p.json:2, colour, \"\", json: is not a field of a pack of questions",
                "p.json:4, questions[0].difficulty, \"\", json: should be Easy, Medium or Hard, not \"Huge\"",
                "p.json:6, questions[1].fillInTheBlank.accepted, \"\", json: is empty",
                "p.json:7, questions[2].topic, \"\", json: is missing",
            ])
        #expect(PackReader(Array("{\n\"version\": 1,\n]".utf8)).mistakes.map(\.line) == [3])
        #expect(
            PackReader(Array("{\"version\": 2, \"id\": \"p\", \"title\": \"P\", \"questions\": []}".utf8)).mistakes.map(
                \.column) == ["version"])
        #expect(
            PackReader(Array("{\"version\": 1, \"id\": \"p\", \"title\": \"P\", \"questions\": 3}".utf8)).mistakes.map(
                \.column) == ["questions"])
    }

    @Test(
        arguments: [
            ("x.csv", "", PackFormat.csv), ("x.tsv", "", .csv), ("x.GIFT", "", .gift), ("x.xml", "", .qti),
            ("x.json", "[]", .quiz),
            ("x.json", "{\"version\": 1}", .json), ("x.json", "{", .json), ("x.json", "{\"questions\": []}", .quiz),
            ("x.txt", "Who?\nA. I\nB. You\nanswer: A", .aiken), ("x.txt", "Who?{T}", .gift),
            ("x.txt", "[html]Who?{T}", .gift),
            ("x", "// Hello\n::a::b", .gift), ("x.txt", "#separator:tab\na\tb", .anki), ("x", "\u{FEFF}<?xml?>", .qti),
            ("x.txt", "id;Prompt\n1;2", .csv), ("x.txt", "Dear all,", nil),
        ] as [(String, String, PackFormat?)]) func filesSayWhatTheyAre(
            _ name: String, _ text: String, _ format: PackFormat?
        )
    {
        #expect(PackFormat.of(Array(text.utf8), name: name) == format)
    }
}
