import Foundation
import Learning
import TestSupport
import Testing

/// `oracy practice import` and `export`: questions of other programs are imported, corrected ones keep their ids, and
/// packs are exported.
@Suite struct PracticeExchangeTool {
    private let home: Home

    init() throws { home = try Home() }

    private func tool(_ arguments: String...) throws -> Tool.Result {
        try Tool.run(["practice"] + arguments, home: home.path)
    }

    private var packs: String { home.path + "/.local/share/oracy/packs" }

    private static let gift = """
        $CATEGORY: $course$/top/Bread

        // [tag:difficulty-easy]
        Who is a baker in the village where you were born?{~a person who sells fish =a person who makes bread ~a person who mends shoes
        ####A baker is somebody who makes bread and often sells it, too.}

        // [tag:difficulty-hard]
        A loaf that came from the oven this morning is ___ bread.{=fresh =new
        ####We call bread fresh on the day on which it came from the oven.}
        """

    @Test func mendedQuestionsKeepTheirIds() throws {
        let file = try home.write(Self.gift, to: "bread.gift")
        #expect(
            try tool("import", file, "--dry-run").output == "2 questions would be imported into \(packs)/bread.json\n")
        #expect(try tool("import", file).output == "2 questions imported into \(packs)/bread.json\n")
        #expect(try tool("import", file).errors.contains("bread: this pack exists"))
        let mended = Self.gift.replacing("in the village where you were born", with: "in the village where you grew up")
            .replacing("A loaf that came", with: "::Warm::A loaf which came")
        try home.write(mended, to: "bread.gift")
        #expect(
            try tool("import", file, "--replace").output
                == "2 questions imported into \(packs)/bread.json: 1 kept, 1 new, 1 removed\n")
        let pack = try String(contentsOfFile: packs + "/bread.json", encoding: .utf8)
        #expect(pack.contains("\"bread-1\"") && pack.contains("grew up") && pack.contains("\"warm\""))
        #expect(pack.contains("\"highestNumber\" : 2") && !pack.contains("\"bread-2\""))
    }

    @Test func allMistakesAreListedAndNothingIsImported() throws {
        let text = "Tell me of bread.{}\n\nWho came?{=I =you ~they}\n\nWho?{=I}"
        let file = try home.write(text, to: "odd.txt")
        let result = try tool("import", file, "--strict")
        #expect(result.code == 65 && result.output.isEmpty)
        #expect(
            result.errors == """
                oracy: \(file):1, question, "Tell me of bread.", not-read: essays are not supported: remove it
                \(file):3, question, "Who came?", not-read: several right options are not supported: leave only one right option
                \(file):5, topic, "", missing: has no topic; set one for all such questions with --topic
                \(file):5, difficulty, "", missing: has no difficulty; set one for all such questions with --difficulty
                \(file):5, explanation, "", missing: has no explanation; set one for all such questions with --explanation
                5 mistakes, nothing was imported

                """)
        #expect(!FileManager.default.fileExists(atPath: packs))
        let letter = try home.write("Dear all,\n", to: "letter.txt")
        #expect(try tool("import", letter).errors.contains("letter.txt: has an unknown format; name it with --format"))
        #expect(
            try tool("import", letter, "--format", "aiken").errors.contains(
                "letter.txt:1, question, \"Dear all,\", missing"))
        #expect(try tool("import", letter, "--format", "anki").code == 64)
    }

    /// The good questions are taken, and the others wait as drafts until they are mended or dropped.
    @Test func theOthersBecomeDrafts() throws {
        let file = try home.write(
            Self.gift + "\n\nTell me about “your” bread.{}\n\nWho came?{=I =you ~they}", to: "bread.gift")
        let dry = try tool("import", file, "--dry-run")
        #expect(dry.code == 0 && dry.output.hasSuffix("2 drafts would wait for you to mend them\n"), "\(dry)")
        #expect(try tool("review").code != 0)
        let made = try tool("import", file)
        #expect(
            made.output == """
                2 questions imported into \(packs)/bread.json
                2 drafts to mend or drop: oracy practice review

                """)
        #expect(
            made.errors.contains(
                "oracy: not taken: \(file):11, question, \"Tell me about “your” bread.\", not-read: essays"))
        let shown = try tool("review")
        #expect(shown.output.contains("== bread-draft-1, from \(file):11") && shown.output.contains("== bread-draft-2"))
        #expect(try tool("review", "bread-draft-1", "--keep").errors.contains("bread-draft-1:1, question"))
        #expect(try tool("review", "bread-draft-2", "--drop").output == "bread-draft-2 was dropped.\n")
        let path = home.path + "/.local/share/oracy/question-drafts/bread-draft-1.json"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let mended = text.replacing(
            "\"question\" : {",
            with:
                "\"question\" : {\"prompt\": \"Which bread did you eat as a child?\", \"fillInTheBlank\": {\"accepted\": [\"rye\"]}"
        )
        try mended.write(toFile: path, atomically: true, encoding: .utf8)
        let kept = try tool("review", "bread-draft-1", "--keep")
        #expect(kept.output == "bread-draft-1 is in the pack bread now.\n", "\(kept)")
        let pack = try String(contentsOfFile: packs + "/bread.json", encoding: .utf8)
        #expect(pack.contains("Which bread did you eat as a child?") && pack.contains("\"bread-3\""))
        #expect(try tool("review").errors.contains("there are no drafts"))
    }

    @Test func aFileWithoutAGoodQuestionMakesNoPack() throws {
        let file = try home.write("Tell me about bread.{}\n", to: "bread.gift")
        let result = try tool("import", file)
        #expect(result.code == 65 && result.output.contains("1 draft to mend or drop"))
        #expect(!FileManager.default.fileExists(atPath: packs + "/bread.json"))
    }

    @Test func changedTypographyIsTold() throws {
        let file = try home.write(
            "prompt,option_1,option_2,correct\nWhat does “break a leg” mean here?,good luck,bad luck,A\n", to: "f.csv")
        let result = try tool("import", file)
        #expect(
            result.code == 0 && result.errors.contains("note: typography was simplified: 2 quotation marks\n"),
            "\(result)")
        #expect(
            result.errors.contains("note: 1 question had no difficulty: it is now Medium; set it with --difficulty\n"))
    }

    /// Forgets what was learned of a question if another answer is right now.
    @Test func aTurnedKeyIsForgotten() throws {
        let log = home.path + "/.local/share/oracy/practice.log"
        let file = try home.write(Self.gift, to: "bread.gift")
        #expect(try tool("import", file).code == 0)
        try """
        2026-11-25T13:15:02+01:00 weights fsrs-6.3
        2026-11-25T13:15:24+01:00 answered 0 new bread/bread-1 bread-1 right 5.3

        """.write(toFile: log, atomically: true, encoding: .utf8)
        let turned = Self.gift.replacing("=a person who makes bread", with: "~a person who makes bread")
            .replacing("~a person who mends shoes", with: "=a person who mends shoes")
        try home.write(turned, to: "bread.gift")
        let again = try tool("import", file, "--replace")
        #expect(again.code == 0 && again.errors.contains("bread-1: another answer is right now"), "\(again)")
        #expect(try String(contentsOfFile: log, encoding: .utf8).contains(" forgot bread/bread-1\n"))
    }

    @Test(arguments: ["json", "csv", "gift"]) func aPackGoesOutAndComesBackAsItWas(_ format: String) throws {
        let file = try home.write(Self.gift, to: "bread.gift")
        #expect(try tool("import", file).code == 0)
        let before = try Data(contentsOf: URL(filePath: packs + "/bread.json"))
        let out = home.path + "/out"
        #expect(try tool("export", "bread", "--format", format, "--output", out).output == "\(out)/bread.\(format)\n")
        #expect(
            try tool("import", "\(out)/bread.\(format)", "--replace").output.hasSuffix(
                ": 2 kept, 0 new, 0 removed\n"))
        #expect(try Data(contentsOf: URL(filePath: packs + "/bread.json")) == before)
    }

    @Test func unsupportedQuestionsAreLeftOutWithANote() throws {
        let table = """
            prompt,option_1,option_2,correct,accepted,speech,explanation
            Talk about bread that you ate as a child.,,,,,30,It is right once thirty seconds of speech were heard.
            What came from the oven this morning is ___ bread.,,,,fresh,,Bread is fresh on the day on which it was baked.
            """
        let file = try home.write(table, to: "bread.csv")
        let made = try tool("import", file, "--topic", "Bread", "--difficulty", "easy")
        #expect(made.code == 0, "\(made)")
        let out = home.path + "/out"
        for (format, said) in [
            ("gift", "\(out)/bread.gift\n"), ("anki", "\(out)/bread.anki.txt\n"), ("qti", "1 item in \(out)\n"),
        ] {
            let result = try tool("export", "bread", "--format", format, "--output", out)
            #expect(result.code == 0 && result.output == said)
            #expect(
                result.errors == "oracy: note: left out 1 question that \(format) cannot hold; use --format json.\n")
        }
        #expect(try tool("export", "bread", "--format", "csv", "--output", out).errors.isEmpty)
        #expect(FileManager.default.fileExists(atPath: out + "/bread-2.xml"))
        #expect(try tool("export", "bread", "--format", "aiken").code == 64)
    }

    @Test(.needs(Trials.obstacle(to: "openpyxl"))) func aWorkbooksSheetsAreTables() async throws {
        let file = home.path + "/kitchen.xlsx"
        let (status, said) = await Trials.python("workbook.py", [file])
        try #require(status == 0, "\(said)")
        let made = try tool("import", file, "--topic", "kitchen", "--difficulty", "easy")
        #expect(made.code == 0 && made.output == "3 questions imported into \(packs)/kitchen.json\n", "\(made)")
        let pack = try QuestionPack.read(
            from: Array(Data(contentsOf: URL(filePath: packs + "/kitchen.json"))), name: "k")
        #expect(
            pack.questions.map(\.key) == [
                .multipleChoice(.init(options: ["a spoon", "a knife", "a thread"], correct: 1)),
                .multipleResponse(.init(options: ["flour", "salt", "sugar"], correct: [0, 2])),
                .calculation(.init(value: 230.125, tolerance: 0.5, units: ["degrees"])),
            ])
        #expect(
            pack.questions.map(\.prompt) == [
                "What cuts a loaf best?", "Which of these are made from plants?",
                "How many degrees does the oven need?",
            ])
        #expect(await Trials.python("workbook.py", [file, "formula"]).status == 0)
        let formula = try tool("import", file, "--replace")
        #expect(formula.code == 65, "\(formula)")
        #expect(formula.errors.contains("kitchen.xlsx, Ovens: B2 is a formula without its value"), "\(formula)")
        let cut = Data(try Data(contentsOf: URL(filePath: file)).dropLast(400))
        try cut.write(to: URL(filePath: file))
        let broken = try tool("import", file, "--replace")
        #expect(broken.errors.contains("kitchen.xlsx: is not a whole workbook"), "\(broken)")
        let other = try tool("import", try home.write("a,b\n", to: "b.csv"), "--format", "xlsx")
        #expect(other.errors.contains("b.csv: is not a whole workbook; save it again as .xlsx"), "\(other)")
    }

    private static let parts = """
        // [id:plants-1] [tag:difficulty-easy]
        Which of these are made from plants?{~%50%flour ~%-50%salt ~%50%sugar
        ####Flour comes from grain, and sugar from beet or cane.}

        // [id:pairs-1] [tag:difficulty-easy]
        Match each tool with its work.{=a knife -> cutting =a spoon -> stirring = -> baking
        ####A knife has an edge, and a spoon a bowl.}
        """

    /// A learner answers questions whose answers have several parts, first partly, then well.
    @Test func answersOfSeveralPartsAreTypedAsLetters() throws {
        let file = try home.write(Self.parts, to: "parts.gift")
        #expect(try tool("import", file, "--topic", "kitchen").code == 0)
        let shown = try Tool.run(
            ["practice", "--pack", "parts", "--questions", "2"], home: home.path,
            input: PseudoTerminal(typing: "z\nq\n\u{04}"))
        #expect(shown.output.contains("Type the letters of all right options, such as a c. q leaves."), "\(shown)")
        let letters = try ["flour", "sugar"].map { try #require(Self.letter(of: $0, in: shown.output)) }
        let partly = try Tool.run(
            ["practice"], home: home.path, input: PseudoTerminal(typing: "\(letters[0])\n\nz\nq\n\u{04}"))
        #expect(partly.output.contains("Partly right. It does not count as right."), "\(partly)")
        #expect(partly.output.contains("  1  a knife") && partly.output.contains("  2  a spoon"))
        let (cutting, stirring) = (
            try #require(Self.letter(of: "cutting", in: partly.output)),
            try #require(Self.letter(of: "stirring", in: partly.output))
        )
        // What was partly right comes once more at the end.
        let again = try Tool.run(
            ["practice"], home: home.path,
            input: PseudoTerminal(typing: "\(cutting) \(stirring)\n\n\(letters[1])\(letters[0])\n\n\u{04}"))
        #expect(again.code == 0 && again.output.contains("Right."), "\(again)")
        #expect(again.output.contains("Done: 1 of 2 right at once, 1 repetition."), "\(again.output)")
    }

    /// Returns the letter before an option on the screen.
    private static func letter(of option: String, in output: String) -> String? {
        output.split(separator: "\n").last { $0.hasSuffix("  \(option)") }?.split(separator: " ").first.map(String.init)
    }
}
