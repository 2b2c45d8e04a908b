import ExamCore
import Papers
import Testing

@testable import Learning

/// Tests of Moodle's GIFT format as other programs write it.
@Suite struct GIFTTests {
    private func read(_ text: String) throws -> ReadQuestion {
        let reader = GIFTReader(text)
        #expect(reader.mistakes == [] && reader.questions.count == 1, "\(reader.mistakes)")
        return try #require(reader.questions.first)
    }

    private func mistakes(_ text: String) -> [String] { GIFTReader(text).mistakes.map { $0.sentence(in: "x") } }

    private func choice(_ options: String..., correct: Int) -> AnswerKey {
        .multipleChoice(.init(options: options, correct: correct))
    }

    @Test func aChoiceHasOneRightAnswer() throws {
        let question = try read("::Bread::What cuts bread?{~a fork#No. =a knife#It has an edge. ~a spoon}")
        #expect(question.title == "Bread" && question.prompt == "What cuts bread?" && question.id == nil)
        #expect(question.key == choice("a fork", "a knife", "a spoon", correct: 1))
        #expect(question.explanation == "It has an edge.")
        let weighed = try read(
            "What cuts bread? {\n  ~%0%a fork\n  ~%100%a knife # It has\n     an edge.\n ####A knife cuts.}")
        #expect(weighed.key == choice("a fork", "a knife", correct: 1) && weighed.explanation == "A knife cuts.")
    }

    @Test func aGapReplacesTheAnswers() throws {
        let question = try read("Grant is {~buried =entombed ~living} in Grant's tomb.")
        #expect(question.prompt == "Grant is ___ in Grant's tomb.")
        #expect(question.key == choice("buried", "entombed", "living", correct: 1))
        let blank = try read("Two plus two equals {=four =4}.")
        #expect(blank.prompt == "Two plus two equals ___.")
        #expect(blank.key == .fillInTheBlank(.init(accepted: ["four", "4"])))
    }

    @Test(arguments: [("T", 0), ("TRUE", 0), ("F", 1), ("FALSE", 1)]) func trueOrFalseIsAChoice(
        _ word: String, _ correct: Int
    ) throws {
        let question = try read("The sun rises in the east.{\(word)#Look again.#It does, each morning.}")
        #expect(question.key == choice("True", "False", correct: correct))
        #expect(question.prompt == "True or false? The sun rises in the east.")
        #expect(question.explanation == "It does, each morning.")
        #expect(try read("Does the sun rise?{\(word)}").prompt == "Does the sun rise?")
    }

    @Test func shortAnswersMayHaveWeights() throws {
        let question = try read("Who?{=%100%no one#excellent answer! =nobody =%0%Grant#No.}")
        #expect(question.key == .fillInTheBlank(.init(accepted: ["no one", "nobody"])))
        #expect(question.explanation == "excellent answer!")
        #expect(try read("What is 5 times 3, as a sum?{=5 \\\\* 3}").key == .fillInTheBlank(.init(accepted: ["5 * 3"])))
    }

    @Test(
        arguments: [
            ("#1822", 1822, nil), ("#3:0.5", 3, 0.5), ("#3..5", 4, 1), ("# =1822:0 #Correct!", 1822, 0),
            ("#-2.5", -2.5, nil),
            ("#=%100%4:1 ~#No.", 4, 1), ("#1e3", 1000, nil),
        ] as [(String, Double, Double?)]) func numbersMayHaveATolerance(
            _ answer: String, _ value: Double, _ tolerance: Double?
        ) throws
    {
        #expect(try read("How many?{\(answer)}").key == .calculation(.init(value: value, tolerance: tolerance)))
    }

    /// Both ends are right despite rounding in the last digit of the middle.
    @Test func bothEndsOfARangeAreRightAnswers() throws {
        let question = try #require(
            read("What is pi?{#3.141..3.142}").question(.init(topic: "pi", difficulty: .easy, explanation: "So.")))
        for number in ["3.141", "3.1415", "3.142"] {
            #expect(question.verdict(on: .calculation(numericAnswer: number)) == .right)
        }
        #expect(question.verdict(on: .calculation(numericAnswer: "3.1421")) == .wrong)
    }

    @Test func escapesAndForms() throws {
        let question = try read(
            "[html]<p>Which is <b>5</b> &lt; 6\\: 1 \\= 1 \\{x\\}?</p>{~ \\= 2 + 2\n = \\~\\#\\\\ \n ~[plain]<b> ~a\\nb}"
        )
        #expect(question.prompt == "Which is 5 < 6: 1 = 1 {x}?")
        #expect(question.key == choice("= 2 + 2", "~#\\", "<b>", "a\nb", correct: 1))
        #expect(try read("[markdown]Who is in **Grant's tomb**?{=no one}").prompt == "Who is in **Grant's tomb**?")
        #expect(try read("Is 3 < 5?{T}").prompt == "Is 3 < 5?")
    }

    @Test func categoriesAreTopicsAndCommentsNameQuestions() throws {
        let reader = GIFTReader(
            """
            \u{FEFF}// All of them.\r
            $CATEGORY: $course$/top/Kitchen/Forks // and Knives\r
            \r
            // [id:bread-1] [tag:difficulty-easy] [tag:bloom-apply] [tag:old]\r
            What cuts bread?{~a fork =a knife}\r
            \r
            $CATEGORY: $course$/top\r
            What cuts soup?{~a fork =nothing}
            """)
        #expect(reader.mistakes == [] && reader.questions.map(\.line) == [5, 8])
        #expect(
            reader.questions.map(\.topic) == ["forks / and knives", nil]
                && reader.questions.map(\.id) == ["bread-1", nil])
        #expect(reader.questions[0].difficulty == .easy && reader.questions[0].bloom == .apply)
    }

    @Test(arguments: [
        ("Tell me.{}", "question, \"Tell me.\", not-read: essays are not supported"),
        ("Tell me.{####Do.}", "question, \"Tell me.\", not-read: essays are not supported"),
        ("Only words.", "question, \"Only words.\", not-read: descriptions are not supported"),
        ("Match.{=Canada->Ottawa =Italy}", "answer, \"Italy\", marks: write each pair as: =premise -> option"),
        ("Two?{~No one ~%60%Grant ~%40%Grant's wife}", "not-read: different points for right options"),
        ("Two?{=Grant =Grant's wife ~No one}", "not-read: several right options"),
        ("One?{~wrong ~%50%half =full}", "answer, \"half\", not-read: partial points such as 50 %"),
        ("One?{~%-33.3%wrong =full}", "answer, \"wrong\", not-read: partial points such as -33.3 %"),
        ("One?{=full =%75%nearly}", "answer, \"nearly\", not-read: partial points such as 75 %"),
        ("One?{#=1822:0 =%50%1822:2}", "answer, \"1822:2\", not-read: partial points such as 50 %"),
        ("One?{#=1 =2}", "not-read: 2 right numbers"),
        ("One?{=a*}", "answer, \"a*\", not-read: * matches anything"),
        ("[html]<img src=\"x\">?{T}", "HTML, \"<img>\", not-read: is a picture"),
        ("<table><tr>?{T}", "HTML, \"<table>\", not-read: is a table"),
        ("One?{~a ~b}", "key: mark the right option with ="),
        ("One?{a ~b =c}", "answer, \"a\", marks: mark each option"),
        ("::One?{T}", "marks: close its title"), ("One?{T", "marks: close the braces"),
        ("One?T}", "marks: open the braces"),
        ("One?{T} or {F}", "marks: keep one pair"), ("One?{a {b} c}", "marks: keep one pair"),
        ("{T}", "missing: write the question"),
        ("One?{#three}", "answer, \"three\", number: write a number"), ("One?{#5..3}", "number: write the smaller"),
        ("One?{#5:-1}", "number: write the tolerance"),
        ("// [tag:difficulty-huge]\nOne?{T}", "difficulty, \"huge\", unknown-difficulty"),
    ]) func unsupportedFeaturesAreRefusedByName(_ text: String, _ why: String) {
        let told = mistakes("Who?{=I}\n\n\n" + text + "\n\nWhat?{=It}")
        #expect(
            told.count == 1 && told[0].contains(why) && told[0].hasPrefix(text.hasPrefix("//") ? "x:5, " : "x:4, "),
            "\(told)")
    }

    /// Follows Moodle's own examples. All mistakes are reported at once.
    @Test func anEmptyLineEndsAQuestion() {
        #expect(mistakes("One?{\n~a\n\n=b}").count == 2)
        #expect(mistakes("One?{}\n\nTwo?{}\n\n\nThree?{}").map { String($0.prefix(3)) } == ["x:1", "x:3", "x:6"])
    }
}
