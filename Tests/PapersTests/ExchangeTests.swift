import ExamCore
import SystemSupport
import Testing

@testable import Papers

/// Tests that items are the same after a round trip as a table or as JSON.
@Suite struct ExchangeTests {
    /// The way a spreadsheet may write a table.
    struct Habit: Sendable {
        var separator = ","
        var lineEnd = "\n"
        var begin = ""

        func bytes(_ rows: [[String]]) -> [UInt8] {
            let lines = rows.map { row in
                row.map { "\"" + $0.replacing("\"", with: "\"\"") + "\"" }.joined(separator: separator) + lineEnd
            }
            return Array((begin + lines.joined()).utf8)
        }
    }

    @Test(arguments: [
        Habit(), Habit(lineEnd: "\r\n", begin: "\u{FEFF}"), Habit(separator: ";", lineEnd: "\r\n"),
        Habit(separator: "\t", lineEnd: "\r"),
    ])
    func theWholeBankComesBackFromATable(_ habit: Habit) {
        let items = ItemBank.builtIn.items.filter(ItemTable.holds)
        #expect(items.count > 150)
        let reader = ItemTableReader(habit.bytes(ItemTable.rows(of: items)))
        #expect(reader.mistakes.isEmpty, "\(reader.mistakes.prefix(5))")
        #expect(reader.items.map(\.item) == items)
    }

    @Test func theWholeBankComesBackFromJSON() throws {
        let items = ItemBank.builtIn.items
        let file = ItemFile(JSONFile.encode(items))
        #expect(file.mistakes.isEmpty, "\(file.mistakes.prefix(5))")
        #expect(file.items.map(\.item) == items)
        for item in items.prefix(3) { #expect(ItemFile(JSONFile.encode(item)).items.map(\.item) == [item]) }
    }

    @Test func everyFieldComesBack() throws {
        var frame = SampleItems.bankFrame
        frame.about.writtenBy = "a \"model\", of; some\tkind"
        frame.lead = nil
        frame.questions[1].rephrased = "What do you take with you?"
        let items = [BankItem.frame(frame), SampleItems.card]
        #expect(try ItemImport(Habit().bytes(ItemTable.rows(of: items)), into: ItemBank([])).items == items)
        #expect(try ItemImport(JSONFile.encode(items), into: ItemBank([])).items == items)
    }

    /// Columns in another order and in capitals, repeated cells left empty, empty rows, line breaks in cells, numbered
    /// discussions.
    @Test func editedTablesAreRead() throws {
        var rows = ItemTable.rows(of: [SampleItems.frame, SampleItems.card])
        rows[0] = rows[0].map { $0.uppercased().replacing("_", with: " ") }
        for place in rows.indices.dropFirst() {
            if rows[place][1].isEmpty { rows[place][0] = "" }
            rows[place][5] = rows[place][5].replacing("tools-and-skill", with: "1").replacing("machines", with: "2")
            rows[place][7] = rows[place][7].replacing(" the ", with: "\r\n the\n")
        }
        rows = rows.map { $0.reversed() + ["", ""] }
        rows.insert(Array(repeating: "", count: rows[0].count), at: 4)
        let read = try ItemImport(Habit(separator: ";").bytes(rows), into: ItemBank([])).items
        var card = SampleItems.bankCard
        for place in card.discussions.indices { card.discussions[place].id = "useful-tool-\(place + 1)" }
        #expect(read == [SampleItems.frame, .card(card)])
    }

    @Test func linesAreThoseThatAnEditorShows() throws {
        let records = try CSVReader.records(of: "a;b\n\"x\r\ny\n\"\"z\";1,5\r\n\r;\nlast")
        #expect(records.map(\.line) == [1, 2, 5, 6, 7])
        #expect(records.map(\.cells) == [["a", "b"], ["x\r\ny\n\"z", "1,5"], [""], ["", ""], ["last"]])
        #expect(try CSVReader.records(of: "").isEmpty)
    }

    @Test func anOwnItemIsReplacedOnRequest() throws {
        let bank = try ItemBank([SampleItems.frame, SampleItems.card])
        let bytes = JSONFile.encode([SampleItems.frame, SampleItems.card])
        let own: Set = ["rain", "useful-tool"]
        #expect(try ItemImport(bytes, into: bank, own: own, replacing: true).items.count == 2)
        let refused = #expect(throws: ImportMistakes.self) { try ItemImport(bytes, into: bank, own: own) }
        #expect(refused?.mistakes.first?.what.contains("--replace") == true)
        #expect(throws: ImportMistakes.self) { try ItemImport(bytes, into: bank, own: ["rain"], replacing: true) }
    }

    @Test func nearDuplicatesOfTheBankAreFound() throws {
        var frame = SampleItems.bankFrame
        frame.about.id = "wet-days"
        let bytes = JSONFile.encode(BankItem.frame(frame))
        let refused = #expect(throws: ImportMistakes.self) {
            try ItemImport(bytes, into: ItemBank([SampleItems.frame]))
        }
        #expect(refused?.mistakes.map(\.code) == Array(repeating: "duplicate", count: 5))
        #expect(refused?.mistakes.first?.column == "questions[0].text")
    }

    // MARK: - Papers

    @Test func twentyQuestionsAreAPaperOfFourFrames() throws {
        let rows = [["question"]] + (1...20).map { ["What is question \($0)?"] }
        let paper = try QuestionTable.paper(Habit().bytes(rows), id: "list", title: "A list")
        let frames = try #require(paper.sections["topics"])
        #expect(paper.sections.count == 1 && frames.map(\.id) == (1...4).map { "topics-\($0)" })
        #expect(frames.flatMap(\.questions).map(\.text) == rows.dropFirst().map { $0[0] })
        #expect(frames[3].questions.map(\.id) == (1...5).map { "topics-4-\($0)" })
    }

    @Test func itemsAndSectionsOfAListAreKept() throws {
        let text = """
            Item;Section;Lead;Question;Follow up;Easier
            My town;interview;Let us talk.;Where do you live?;Since when?;
            ;;;What is it like?;;How is it?
            Été;topics;;What do you do in summer?;;
            """
        let paper = try QuestionTable.paper(Array(text.utf8), id: "list", title: "A list")
        #expect(paper.sections["interview"]?.map(\.id) == ["my-town"])
        #expect(paper.sections["topics"]?.map(\.id) == ["e9te9"])
        let town = try #require(paper.sections["interview"]?.first)
        #expect(town.lead?.text == "Let us talk." && town.questions.map(\.id) == ["my-town-1", "my-town-2"])
        #expect(
            town.questions[0].followUp?.text == "Since when?"
                && town.questions[1].rephrased?.first?.text == "How is it?")
        for (wrong, code) in [
            ("item,question\na,\n", "empty-cell"), ("item,section,question\na,x,Who?\na,y,Why?\n", "contradiction"),
            ("item,lead,question\na,One.,Who?\na,Two.,Why?\n", "contradiction"),
            ("questions\nWho?\n", "unknown-column"),
        ] {
            let mistakes = #expect(throws: ImportMistakes.self) {
                try QuestionTable.paper(Array(wrong.utf8), id: "list", title: "A list")
            }
            #expect(mistakes?.mistakes.first?.code == code)
        }
    }
}
