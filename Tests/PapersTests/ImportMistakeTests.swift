import SystemSupport
import Testing

@testable import Papers

/// Tests that each mistake in a file is reported with its code, line and column, and that no items are then taken.
@Suite struct ImportMistakeTests {
    private typealias Rows = [[String]]

    /// The lines of the changed table: 2 to 6 are a frame. The rest is a card: 7 its topic, 8 to 10 points, 11 what to
    /// explain, 12 and 13 the questions after it, 14 to 19 and 20 to 25 its discussions.
    private static let flaws: [(code: String, place: String, change: @Sendable (inout [[String]]) -> Void)] = [
        ("unknown-column", "1 titel", { $0[0][2] = "titel" }),
        ("missing-column", "1 title", { $0[0][2] = "titel" }),
        ("double-column", "1 item", { $0[0][6] = "Item" }),
        ("extra-cell", "3 column 13", { $0[2].append("what?") }),
        ("no-rows", "1 file", { $0.removeSubrange(1...) }),
        ("empty-cell", "2 title", { $0[1][2] = "" }),
        ("empty-cell", "2 item", { $0[1][0] = "" }),
        ("empty-cell", "3 question", { $0[2][7] = "" }),
        ("empty-cell", "15 bloom", { $0[14][8] = "" }),
        ("empty-cell", "20 lead", { $0[19][6] = "" }),
        ("no-place", "3 part", { $0[2][5] = "point" }),
        ("no-place", "8 bloom", { $0[7][8] = "apply" }),
        ("contradiction", "3 title", { $0[2][2] = "Another" }),
        ("contradiction", "7 item", { $0.swapAt(5, 6) }),
        ("unknown-difficulty", "2 difficulty", { $0[1][3] = "Medum" }),
        ("unknown-bloom", "4 bloom", { $0[3][8] = "think" }),
        ("unknown-part", "8 part", { $0[7][5] = "poem" }),
        ("unknown-part", "14 part", { $0[13][5] = "discussion" }),
        ("missing-part", "7 part", { $0[10][5] = "point" }),
        ("double-part", "8 part", { $0[7][5] = "card" }),
        ("taken", "20 part", { rows in for row in 19...24 { rows[row][5] = "discussion rain" } }),
        ("question-mark", "4 question", { $0[3][7] = "How your street changes when it starts to rain." }),
        ("follow-up", "5 follow_up", { $0[4][9] = "" }),
        ("rephrasing", "21 easier", { $0[20][10] = "" }),
        ("label", "2 keywords", { $0[1][4] = "rain, Wet, storm" }),
        ("bloom", "16 bloom", { $0[15][8] = "remember" }),
        ("card-shape", "9 question", { $0[8][7] = "you keep it at home" }),
        ("counts", "14 question", { $0.remove(at: 18) }),
    ]

    @Test(arguments: flaws.indices)
    func eachFlawOfATableIsFound(_ index: Int) throws {
        let flaw = Self.flaws[index]
        var rows = ItemTable.rows(of: [SampleItems.frame, SampleItems.card])
        flaw.change(&rows)
        let found = mistakes(ExchangeTests.Habit().bytes(rows))
        #expect(
            found.contains { $0.code == flaw.code && "\($0.line) \($0.column)" == flaw.place }, "\(flaw): \(found)")
    }

    @Test func eachFlawOfAFileIsFound() throws {
        #expect(mistakes([0xFF, 0xFE, 0x69, 0x00]).map(\.code) == ["encoding"])
        for text in ["item,title\n\"rain,Rain\n", "item,title\n\"rain\"s,Rain\n"] {
            #expect(mistakes(Array(text.utf8)).map { "\($0.line) \($0.column) \($0.code)" } == ["2 column 1 quotes"])
        }
        #expect(mistakes(Array("[]".utf8)).map(\.code) == ["no-rows"])
        #expect(mistakes(Array("[{},".utf8)).map(\.code) == ["json"])
        let poems = mistakes(Array("[\n{\"version\": 1, \"id\": \"},{\"},\n\n{\"version\": 2}]".utf8))
        #expect(poems.map { "\($0.line) \($0.code)" } == ["2 json", "4 json"], "\(poems)")
        #expect(mistakes(JSONFile.encode([SampleItems.frame, SampleItems.frame])).map(\.code) == ["taken"])
    }

    @Test func everyCodeHasItsFlaw() {
        let ofFiles: Set = ["encoding", "quotes", "json"]
        let codes = Set(Self.flaws.map(\.code)).union(ofFiles)
        for code in ImportMistake.Code.allCases { #expect(codes.contains(code.rawValue), "\(code)") }
    }

    @Test func aMistakeIsOneLineThatATerminalCanShow() {
        let mistake = ImportMistake(
            line: 3, column: "title", value: "a\u{1B}[2J\n" + String(repeating: "x", count: 99), .emptyCell, "do it")
        #expect(
            mistake.sentence(in: "my.csv")
                == "my.csv:3, title, \"a [2J \(String(repeating: "x", count: 54))…\", empty-cell: do it")
    }

    private func mistakes(_ bytes: [UInt8]) -> [ImportMistake] {
        do throws(ImportMistakes) {
            _ = try ItemImport(bytes, into: .empty)
            return []
        } catch {
            return error.mistakes
        }
    }
}

extension ItemBank {
    /// An empty bank cannot have an id twice.
    fileprivate static let empty = try! ItemBank([])
}
