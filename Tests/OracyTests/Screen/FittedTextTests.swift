import ExamCore
import Testing

@testable import oracy

/// Lines for a terminal: none is wider, and none is broken within a word.
@Suite struct FittedTextTests {
    @Test func aSentenceIsBrokenBetweenWords() {
        let sentence = "oracy: zzzz: there are no questions on that; topics are adding a point and buying time"
        #expect(
            sentence.fitted(to: 40) == """
                oracy: zzzz: there are no questions on
                that; topics are adding a point and
                buying time
                """)
        #expect(sentence.fitted(to: 90) == sentence)
        #expect("Did you hear yourself? y: use it  n: leave it\nType a letter: ".fitted(to: 80).hasSuffix("letter: "))
    }

    @Test func continuationsStandBelowTheirText() {
        #expect(
            "warning  The room is noisy: move to a quieter place".fitted(to: 40) == """
                warning  The room is noisy: move to a
                         quieter place
                """)
        #expect(
            "  - Keep one example for the end of your answer".fitted(to: 40) == """
                  - Keep one example for the end of your
                    answer
                """)
        #expect(
            "12. Keep one example for the end of all your answers".fitted(to: 40) == """
                12. Keep one example for the end of all
                    your answers
                """)
        #expect(
            "    The share of speech from the first word on".fitted(to: 40) == """
                    The share of speech from the first
                    word on
                """)
    }

    @Test func usageContinuesBelowItself() {
        #expect(
            "USAGE: oracy progress [--format <format>] [--json]".fitted(to: 44) == """
                USAGE: oracy progress [--format <format>]
                       [--json]
                """)
    }

    /// It can still be copied: a terminal joins what it broke itself.
    @Test func aPathThatIsTooLongStaysWhole() {
        let path = "/home/ann/" + String(repeating: "folder/", count: 8) + "a.wav"
        #expect("oracy: \(path): is not a recording".fitted(to: 40) == "oracy:\n\(path):\nis not a recording")
        let short = "/home/ann/recordings/2026/monday/a.wav"
        #expect("session  \(short)".fitted(to: 40) == "session\n  \(short)")
    }

    @Test func aCommandStaysOneCommand() {
        let command = "    oracy practice --pack vocabulary-food --questions 10"
        #expect(
            command.fitted(to: 40) == """
                    oracy practice --pack \\
                    vocabulary-food --questions 10
                """)
    }

    @Test func wideScriptsAreBrokenBetweenCharacters() {
        let text = String(repeating: "日本語", count: 10)
        let lines = text.fitted(to: 40).split(separator: "\n")
        #expect(lines.map(\.columns) == [40, 20] && lines.joined() == text)
    }

    /// Any text, in any width: all its words, in order, and no line that could be shorter.
    @Test func noWordIsLostOrCut() {
        var random = SplitMix64(seed: 48)
        let pieces = [
            "a", "word", "longer-word", "  ", " ", "   ", "\n", "1.", "-", "/a/path/to/something.wav", "é", "oracy ",
        ]
        for _ in 0..<4_000 {
            let text = (0..<Int.random(in: 1...40, using: &random)).map { _ in
                pieces.randomElement(using: &random)! + (Bool.random(using: &random) ? " " : "")
            }.joined()
            let width = Int.random(in: 40...100, using: &random)
            let fitted = text.fitted(to: width)
            func words(_ text: String) -> [Substring] { text.split { $0 == " " || $0 == "\n" }.filter { $0 != "\\" } }
            #expect(words(fitted) == words(text), "\(text.debugDescription)")
            for line in fitted.split(separator: "\n") where line.columns > width {
                #expect(words(String(line)).contains { $0.columns > width - 2 }, "\(line.debugDescription)")
            }
        }
    }

    // MARK: - Tables

    private static let rows = [
        ["PACK", "DONE", "TITLE"], ["food", "0 %", "Vocabulary: Food and cooking"],
        ["work", "12 %", "Work (not open yet)"],
    ]

    @Test func cellsAreWrappedBetweenWords() {
        #expect(
            Self.rows.columns(right: 1...1, width: 30) == [
                "PACK  DONE  TITLE", "food   0 %  Vocabulary: Food",
                "            and cooking", "work  12 %  Work (not open", "            yet)",
            ])
        #expect(
            Self.rows.columns(right: 1...1, indent: 2, width: 80) == [
                "  PACK  DONE  TITLE", "  food   0 %  Vocabulary: Food and cooking",
                "  work  12 %  Work (not open yet)",
            ])
    }

    @Test func cellsAreShortenedBetweenWords() {
        #expect(
            Self.rows.columns(right: 1...1, shrinking: 2, width: 34) == [
                "PACK  DONE  TITLE", "food   0 %  Vocabulary: Food...", "work  12 %  Work (not open yet)",
            ])
    }

    /// An id is copied from a list, so it is never cut. One that leaves no room stands above its row.
    @Test func anIdThatIsTooLongStandsAboveItsRow() {
        let rows = [["LESSON", "TITLE"], ["a", "First things first"], ["a-very-long-id-of-a-lesson", "Second"]]
        let lines = rows.columns(width: 30)
        #expect(lines.allSatisfy { $0.columns <= 30 }, "\(lines)")
        #expect(lines.first == "LESSON              TITLE")
        #expect(lines.suffix(2) == ["a-very-long-id-of-a-lesson", "                    Second"])
    }
}
