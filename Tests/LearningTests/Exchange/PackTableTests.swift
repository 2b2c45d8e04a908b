import Papers
import Testing

@testable import Learning

/// Tests of tables of questions with keys as people write them.
@Suite struct PackTableTests {
    private func reader(_ text: String) -> PackTableReader { PackTableReader(Array(text.utf8)) }

    @Test func aTableNeedsFewColumns() {
        let reader = reader(
            """
            Prompt;Option 1;Option 2;Option 3;correct;accepted;value;units;speech
            What cuts bread?;A fork;A knife;A spoon;2;;;;
            What cuts bread?;A fork;A knife;;A knife;;;;
            What cuts bread?;A fork;A knife;;Option_2;;;;
            I cut it ___ two.;;;;;in | into;;;
            How long?;;;;;;1,5;m|metres;
            Talk of bread.;;;;;;;;20

            """)
        #expect(reader.mistakes == [] && reader.questions.map(\.line) == [2, 3, 4, 5, 6, 7])
        #expect(
            reader.questions.map(\.key) == [
                .multipleChoice(.init(options: ["A fork", "A knife", "A spoon"], correct: 1)),
                .multipleChoice(.init(options: ["A fork", "A knife"], correct: 1)),
                .multipleChoice(.init(options: ["A fork", "A knife"], correct: 1)),
                .fillInTheBlank(.init(accepted: ["in", "into"])),
                .calculation(.init(value: 1.5, units: ["m", "metres"])),
                .spoken(.init(speech: 20)),
            ])
    }

    @Test(arguments: [
        ("prompt,accepted\n,a", "2 prompt empty-cell"), ("prompt,accepted\na,", "2 kind missing"),
        ("prompt,kind,accepted\na,poem,a", "2 kind wrong-kind"),
        ("prompt,kind,accepted\na,spoken,a", "2 accepted no-place"),
        ("prompt,accepted,value\na,b,3", "2 value no-place"), ("prompt,value\na,three", "2 value number"),
        ("prompt,value,tolerance\na,3,-1", "2 tolerance number"),
        ("prompt,kind,units\na,calculation,m", "2 value empty-cell"),
        ("prompt,kind\na,spoken", "2 speech empty-cell"),
        ("prompt,option_1,option_2,correct\na,b,c,3", "2 correct key"),
        ("prompt,option_1,option_2,correct\na,b,c,", "2 correct missing"),
        ("prompt,option_1,option_2,option_3,correct\na,b,,c,1", "2 option_2 empty-cell"),
        ("prompt,accepted,difficulty\na,b,huge", "2 difficulty unknown-difficulty"),
        ("prompt,accepted,bloom\na,b,think", "2 bloom unknown-bloom"),
        ("prompt,colour\na,b", "1 colour unknown-column"),
        ("accepted\na", "1 prompt missing-column"),
    ]) func eachFlawIsReported(_ text: String, _ told: String) {
        let mistakes = reader(text).mistakes.map { "\($0.line) \($0.column) \($0.code)" }
        #expect(mistakes.contains(told), "\(mistakes)")
        #expect(reader(text).questions.isEmpty)
    }

    /// "3" may be the third option, or the option with the text 3.
    @Test func anAmbiguousKeyIsRefused() {
        let table = "prompt,option_1,option_2,option_3,correct\nHow many?,3,4,5,"
        #expect(reader(table + "3").mistakes.map(\.code) == ["key"])
        #expect(
            reader(table + "5").questions.map(\.key) == [.multipleChoice(.init(options: ["3", "4", "5"], correct: 2))])
        #expect(reader(table + "option_1").questions.count == 1)
    }

    @Test(arguments: ["B", "b", "(B)", "b)", "2", "A knife", "option_2"]) func keysMayBeLetters(_ key: String) {
        let reader = reader("prompt,option_1,option_2,correct\nWhat cuts bread?,A fork,A knife,\(key)")
        #expect(reader.questions.map(\.key) == [.multipleChoice(.init(options: ["A fork", "A knife"], correct: 1))])
    }

    /// "B" may be the second option, or the option with the text B.
    @Test func anAmbiguousLetterIsRefused() {
        let table = "prompt,option_1,option_2,option_3,correct\nWhich vitamin?,B,C,D,"
        #expect(reader(table + "B").mistakes.map(\.code) == ["key"])
        #expect(
            reader(table + "D").questions.map(\.key) == [.multipleChoice(.init(options: ["B", "C", "D"], correct: 2))])
        #expect(reader("prompt,option_1,option_2,correct\nWhat?,A fork,A knife,C").mistakes.map(\.code) == ["key"])
    }

    @Test(arguments: ["sep=;\n", "sep=;\r\n", "\"sep=;\"\n", "SEP=;\n", "\u{FEFF}sep=;\n"])
    func excelNamesItsSeparator(_ line: String) {
        let reader = reader(line + "prompt;accepted\nThe sun, the moon and the ___, too;stars\n")
        #expect(reader.mistakes == [] && reader.questions.map(\.line) == [3])
        #expect(reader.questions.map(\.prompt) == ["The sun, the moon and the ___, too"])
    }

    @Test func headingsOfOthersAreUnderstood() {
        let reader = reader(
            """
            No,Question,Option A,Option B,Answer,Category,Points
            1,What cuts bread?,A fork,A knife,B,Kitchen,5
            """)
        #expect(reader.mistakes == [])
        #expect(reader.questions.map(\.key) == [.multipleChoice(.init(options: ["A fork", "A knife"], correct: 1))])
        #expect(reader.questions.map(\.topic) == ["kitchen"])
        #expect(
            self.reader("question,answer\nA word for ___?,bread").questions.map(\.key) == [
                .fillInTheBlank(.init(accepted: ["bread"]))
            ])
    }

    @Test func findingsNameColumns() {
        #expect(PackTable.column(of: "options[0]") == "option_1" && PackTable.column(of: "prompt") == "prompt")
    }
}
