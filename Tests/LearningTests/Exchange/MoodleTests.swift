import ExamCore
import Papers
import SystemSupport
import Testing
import XMLFiles

@testable import Learning

/// Tests that questions of Moodle XML keep their words and their keys, and that everything else is refused by name.
@Suite struct MoodleTests {
    private func key(_ type: String, _ content: String) throws -> AnswerKey? {
        let file = try MoodleSample.file(MoodleSample.quiz(type, content))
        #expect(file.told == [])
        return file.questions.first?.key
    }

    private func told(_ text: String) throws -> String {
        let file = try MoodleSample.file(text)
        #expect(file.questions.isEmpty && file.told.count == 1, "\(file.told)")
        return file.told.first ?? ""
    }

    @Test func eachKindOfQuestionIsRead() throws {
        let file = try MoodleSample.file(MoodleSample.all)
        #expect(file.told == [] && file.format == .moodle)
        try #require(file.questions.count == MoodleSample.count)
        let (choice, truth, blank, number) = (
            file.questions[0], file.questions[1], file.questions[2], file.questions[3]
        )
        #expect(
            choice
                == ReadQuestion(
                    line: 10, id: "knife-1", title: "Bread knife", topic: "cutting bread", difficulty: .easy,
                    prompt: "What cuts a loaf best?",
                    key: .multipleChoice(
                        .init(options: ["A spoon", "A knife with teeth", "A thread < 1 mm"], correct: 1)),
                    explanation: "A saw cuts the crust."))
        #expect(truth.prompt == "True or false? Dry bread makes crumbs." && truth.explanation == "It breaks.")
        #expect(truth.key == .multipleChoice(.init(options: ["True", "False"], correct: 0)))
        #expect(blank.prompt == "Dough rises because of ___." && blank.explanation == nil)
        #expect(blank.key == .fillInTheBlank(.init(accepted: ["yeast", "sour*dough"])))
        #expect(number.key == .calculation(.init(value: 230, tolerance: 10, units: ["°C"])))
        #expect(number.explanation == "It is hot." && number.line == 51)
    }

    @Test func answersWithSeveralPartsAreRead() throws {
        let questions = try MoodleSample.file(MoodleSample.all).questions
        let keys = questions.dropFirst(4).map(\.key)
        let plants = AnswerKey.multipleResponse(.init(options: ["Rye", "Salt", "Wheat"], correct: [0, 2]))
        let tools = AnswerKey.matching(
            .init(premises: ["cut bread", "eat soup"], options: ["a knife", "a spoon", "a fork"], correct: [0, 1]))
        let steps = AnswerKey.ordering(.init(options: ["Mix", "Knead", "Bake"], correct: [0, 1, 2]))
        #expect(keys == [plants, plants, tools, tools, steps])
    }

    @Test func theOutermostElementNamesTheFormat() {
        for text in [
            MoodleSample.all, "<quiz/>", "\u{FEFF}<!-- <item> --><quiz>", "<?xml version=\"1.0\"?><quiz a='b'>",
        ] {
            #expect(PackFormat.of(Array(text.utf8), name: "x.xml") == .moodle)
            #expect(PackFormat.of(Array(text.utf8), name: "x") == .moodle)
        }
        for text in ["<quizzes/>", "<!-- <quiz> --><qti-assessment-item/>", "<!--", "<?xml", ""] {
            #expect(PackFormat.of(Array(text.utf8), name: "x.xml") == .qti)
        }
    }

    /// A question that cannot be taken keeps no other one out, and its draft has its words and its answers.
    @Test func theOthersBecomeDrafts() throws {
        let essay = MoodleSample.quiz("essay", "<answer fraction=\"0\"><text></text></answer>", asked: "Tell me.")
        let text = MoodleSample.all.replacing(
            "</quiz>", with: essay.split(separator: "\n").dropFirst().joined(separator: "\n"))
        let new = try PackImport([MoodleSample.file(text)], id: "bread", rigour: .lenient)
        #expect(new.pack.questions.map(\.id).prefix(4) == ["knife-1", "crumbs", "yeast", "oven"])
        #expect(new.pack.questions.count == MoodleSample.count)
        #expect(
            new.drafts.map(\.problems) == [
                [
                    "x.xml:\(MoodleSample.lines), <question type>, \"essay\", not-read: essays are not supported: remove it"
                ]
            ])
        #expect(new.drafts[0].original == "Tell me.\n0 %: ")
        #expect(new.refused.isEmpty)
        #expect(try MoodleSample.file("<quiz/>").told == ["x.xml:1, file, \"\", no-rows: add at least one question"])
    }

    @Test func theFirstAnswerThatMatchesCounts() throws {
        let (right, any) = (MoodleSample.answer("100", "7"), MoodleSample.answer("0", "*"))
        #expect(try key("numerical", right + any) == .calculation(.init(value: 7)))
        #expect(try key("shortanswer", right + any) == .fillInTheBlank(.init(accepted: ["7"])))
        for type in ["numerical", "shortanswer"] {
            #expect(
                try told(MoodleSample.quiz(type, any + right)).contains("x.xml:4, <answer>, \"\", not-read: * matches"))
        }
        let wide = MoodleSample.answer("0", "8", "<tolerance>0.5</tolerance>")
        #expect(try key("numerical", wide + right) == .calculation(.init(value: 7)))
        let wider = wide.replacing("0.5", with: "1")
        #expect(try told(MoodleSample.quiz("numerical", wider + right)).contains("takes numbers from the right answer"))
        #expect(try key("numerical", right + wider) == .calculation(.init(value: 7)))
    }

    @Test(arguments: [
        (
            "multichoice", "<single>false</single>" + answer("60", "a") + answer("40", "b"), "<answer>",
            "different points for right options"
        ),
        ("multichoice", "<single>false</single>" + answer("0", "a"), "<question>", "key: has no right answer"),
        ("matching", "", "<question>", "missing: has no <subquestion>"),
        ("matching", "<subquestion><text>a</text></subquestion>", "<subquestion>", "key: should have one <answer>"),
        ("matching", answer("100", "a"), "<answer>", "belongs into a <subquestion>"),
        ("ordering", answer("1", "a") + answer("2", ""), "<answer>", "missing: write the option"),
        ("multichoice", answer("100", "a") + answer("100", "b"), "<answer>", "several right answers"),
        ("multichoice", answer("50", "a") + answer("50", "b"), "<answer>", "partial points such as 50 %"),
        ("multichoice", answer("100", "a") + answer("33.33333", "b"), "<answer>", "partial points such as 33.33333 %"),
        ("multichoice", answer("0", "a") + answer("0", "b"), "<question>", "key: has no right answer"),
        ("multichoice", "", "<question>", "key: has no right answer"),
        ("multichoice", answer("all", "a"), "<answer fraction>", "number: write 100 or 0"),
        ("multichoice", answer("0x64", "a"), "<answer fraction>", "number: write 100 or 0"),
        ("multichoice", answer("100", "a") + answer("0", ""), "<answer>", "missing: write the option"),
        ("multichoice", "<single>maybe</single>" + answer("100", "a"), "<single>", "wrong-kind: write 1 or 0"),
        ("multichoice", "<hidden>1</hidden>" + answer("100", "a"), "<hidden>", "not in use any more"),
        ("multichoice", "<image>a.png</image>" + answer("100", "a"), "<image>", "pictures are not supported"),
        ("multichoice", answer("100", "a", "<file name=\"a\">aa</file>"), "<file>", "pictures, sounds and files"),
        ("multichoice", "<usecase>0</usecase>" + answer("100", "a"), "<usecase>", "is not supported inside <question>"),
        ("multichoice", "<single>1</single><single>0</single>" + answer("100", "a"), "<single>", "is there twice"),
        ("multichoice", "loose" + answer("100", "a"), "<question>", "has text outside its elements"),
        ("multichoice", answer("100", "<b>a</b>"), "<b>", "is not supported"),
        (
            "multichoice", "<tags><tag><text>difficulty-huge</text></tag></tags>" + answer("100", "a"), "difficulty",
            "huge"
        ),
        ("truefalse", answer("100", "true"), "<question>", "should have the answers true and false"),
        ("truefalse", answer("100", "yes") + answer("0", "no"), "<question>", "should have the answers true and false"),
        ("truefalse", answer("100", "true") + answer("100", "false"), "<answer>", "several right answers"),
        ("shortanswer", answer("100", "a*"), "<answer>", "* matches anything: write each right answer"),
        ("shortanswer", answer("100", "a") + answer("80", "b"), "<answer>", "partial points such as 80 %"),
        ("shortanswer", "<usecase>1</usecase>" + answer("100", "US"), "<answer>", "small and capital letters"),
        ("shortanswer", answer("100", "it's") + answer("0", "Its"), "<answer>", "in case or punctuation alone"),
        ("numerical", answer("100", "*"), "<answer>", "number: write a number"),
        ("numerical", answer("100", "1,5"), "<answer>", "number: write a number"),
        ("numerical", answer("100", "0x10"), "<answer>", "number: write a number"),
        ("numerical", answer("100", "1") + answer("100", "2"), "<answer>", "several right answers"),
        ("numerical", answer("100", "1", "<tolerance>-1</tolerance>"), "<tolerance>", "without a sign"),
        ("numerical", answer("100", "1", "<tolerancetype>2</tolerancetype>"), "<tolerancetype>", "is not supported"),
        ("numerical", answer("100", "1") + unit("km", "1000"), "<unit>", "unit conversions"),
        ("numerical", answer("100", "1") + unit("", "1"), "<unit>", "write its name"),
        (
            "numerical", answer("100", "1") + "<unitgradingtype>1</unitgradingtype>", "<unitgradingtype>",
            "points for units"
        ),
        ("numerical", answer("100", "1") + "<showunits>2</showunits>", "<showunits>", "a choice of units"),
        (
            "numerical", answer("100", "1") + unit("€", "1") + "<unitsleft>1</unitsleft>", "<unitsleft>",
            "before the number"
        ),
        (
            "numerical", answer("100", "1") + "<instructions><text>Write it.</text></instructions>", "<instructions>",
            "write it into the question"
        ),
        ("pairmatching", answer("100", "a"), "<question type>", "pairmatching"),
    ]) func unsupportedPartsAreRefusedByName(_ type: String, _ content: String, _ name: String, _ why: String) throws {
        let sentence = try told(MoodleSample.quiz(type, content))
        #expect(sentence.contains(", \(name), ") && sentence.contains(why), "\(sentence)")
        #expect(
            sentence.hasPrefix(name.hasPrefix("<question") || name == "difficulty" ? "x.xml:2" : "x.xml:4"),
            "\(sentence)")
    }

    private static func answer(_ points: String, _ text: String, _ more: String = "") -> String {
        MoodleSample.answer(points, text, more)
    }

    private static func unit(_ name: String, _ multiplier: String) -> String {
        "<units><unit><multiplier>\(multiplier)</multiplier><unit_name>\(name)</unit_name></unit></units>"
    }

    @Test func smallAndCapitalLettersAloneDecideNothing() throws {
        let exact = "<usecase>1</usecase>" + MoodleSample.answer("100", "42")
        #expect(try key("shortanswer", exact) == .fillInTheBlank(.init(accepted: ["42"])))
    }

    @Test func markdownIsReadIfItIsPlainWords() throws {
        let text = MoodleSample.quiz("shortanswer", MoodleSample.answer("100", "a"), asked: "What cuts bread?")
            .replacing("format=\"html\"", with: "format=\"markdown\"")
        #expect(try MoodleSample.file(text).questions.map(\.prompt) == ["What cuts bread?"])
        #expect(try told(text.replacing("bread?", with: "**bread**?")).contains("* of Markdown is not supported"))
        #expect(
            try told(text.replacing("markdown", with: "wiki_like")).contains("<questiontext format>, \"wiki_like\""))
    }
}
