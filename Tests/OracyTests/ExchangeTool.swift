import Foundation
import TestSupport
import Testing

/// `oracy papers import`, `export` and `paper`: imports a teacher's spreadsheet, exports the bank, and takes a paper of
/// twenty questions.
@Suite struct ExchangeTool {
    private let home: Home

    init() throws { home = try Home() }

    private func oracy(_ arguments: String...) throws -> Tool.Result { try Tool.run(arguments, home: home.path) }

    private var bank: String { home.path + "/.local/share/oracy/bank" }

    private var kept: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: bank)) ?? []).sorted() }

    /// A spreadsheet as saved in a country with decimal commas.
    private static let keys = """
        \u{FEFF}item;section;title;difficulty;keywords;question;bloom;follow_up\r
        lost-keys;topics;Keys;easy;key, lock, door;Which key do you use most often?;remember;What would happen without it?\r
        ;;;;;Which of your keys opens something that you rarely use?;remember;Who taught you that?\r
        ;;;;;"How do you feel when a key\r
        cannot be found?";understand;What helps then?\r
        ;;;;;How would you explain an old lock to a child?;understand;What would you draw?\r
        ;;;;;If you found a key in the street, what would you do?;apply;Where might its owner look?\r
        ;;;;;;;\r

        """

    @Test func aSpreadsheetBecomesAnOwnItem() throws {
        let file = try home.write(Self.keys, to: "keys.csv")
        let dry = try oracy("papers", "import", file, "--dry-run")
        #expect(dry.code == 0 && dry.output == "1 item would be imported into \(bank): lost-keys\n", "\(dry)")
        #expect(kept.isEmpty, "a dry run writes nothing")

        let real = try oracy("papers", "import", file)
        #expect(real.code == 0 && real.output == "1 item imported into \(bank): lost-keys\n", "\(real)")
        #expect(kept == ["lost-keys.json"])
        let mode = try FileManager.default.attributesOfItem(atPath: bank + "/lost-keys.json")[.posixPermissions]
        #expect(mode as? Int == 0o600)
        #expect(try oracy("papers", "lint").output == "1 item, no flaws\n")
        #expect(try oracy("papers", "show", "lost-keys").output.contains("How do you feel when a key cannot be found?"))

        let again = try oracy("papers", "import", file)
        #expect(again.code == 65 && again.errors.contains("keys.csv:2, item, \"lost-keys\", taken:"), "\(again)")
        let replaced = try oracy("papers", "import", file, "--replace")
        #expect(replaced.code == 0 && replaced.output.contains("1 replaced"), "\(replaced)")

        // Exported items can be imported again, as a table and as JSON.
        for format in ["csv", "json"] {
            let out = home.path + "/own.\(format)"
            let export = try oracy("papers", "export", "--own", "--format", format, "--output", out)
            #expect(export.code == 0 && export.output.isEmpty && export.errors.isEmpty, "\(export)")
            let before = try Data(contentsOf: URL(filePath: bank + "/lost-keys.json"))
            #expect(try oracy("papers", "import", out, "--replace").code == 0)
            #expect(try Data(contentsOf: URL(filePath: bank + "/lost-keys.json")) == before)
        }
    }

    @Test func oneWrongRowPreventsTheImport() throws {
        let good = Self.keys.replacing("\u{FEFF}", with: "")
        let wrong = good.split(separator: "\r\n").dropFirst().joined(separator: "\r\n")
            .replacing("lost-keys", with: "found-keys").replacing("easy", with: "eazy")
        let file = try home.write(good + wrong, to: "two.csv")
        let result = try oracy("papers", "import", file)
        #expect(result.code == 65 && result.output.isEmpty)
        #expect(
            result.errors
                == "oracy: \(file):9, difficulty, \"eazy\", unknown-difficulty: use Easy, Medium or Hard\n"
                + "1 mistake, nothing was imported\n")
        #expect(kept.isEmpty)
        #expect(try oracy("papers", "import", "/nowhere.csv").code == 66)
        // The items that come with Oracy keep their ids.
        let export = try oracy("papers", "export", "--topic", "rain", "--output", home.path + "/rain.csv")
        #expect(export.code == 0)
        let taken = try oracy("papers", "import", home.path + "/rain.csv", "--replace")
        #expect(taken.code == 65 && taken.errors.contains(", \"rain\", taken: "), "\(taken)")
        #expect(try oracy("papers", "export", "--own").code == 66)
    }

    @Test func anImportedListOfTwentyQuestionsIsSat() throws {
        let questions = (1...20).map { "What do you think of thing number \($0)?" }
        let file = try home.write("question\n" + questions.joined(separator: "\n"), to: "Our questions.csv")
        let paper = home.path + "/paper.json"
        let made = try oracy("papers", "paper", file, "--output", paper)
        #expect(
            made.code == 0
                && made.output
                    == "20 questions in 4 frames; take it with questions: oracy run --format questions --paper \(paper)\n",
            "\(made)")
        let valid = try oracy("validate", "questions", paper)
        #expect(
            valid.code == 0
                && valid.output
                    == "Questions, one after the other, with \"Our questions\": 1 parts, up to 20 answers\n",
            "\(valid)")
        let odd = try home.write("question,section\nWho?,lobby\n", to: "odd.csv")
        let none = try oracy("papers", "paper", odd)
        #expect(
            none.code == 0 && none.output.hasPrefix("{") && none.errors.contains("no built-in format has only lobby"))
        let empty = try home.write("question,item\n,a\n", to: "empty.csv")
        let refused = try oracy("papers", "paper", empty, "--output", paper)
        #expect(refused.code == 65 && refused.errors.contains("empty.csv:2, question, \"\", empty-cell:"), "\(refused)")
    }

    @Test(.needs(Trials.obstacle(to: "pip"))) func pythonReadsTheWholeBank() async throws {
        let table = home.path + "/bank.csv"
        let exported = try oracy("papers", "export", "--output", table)
        #expect(
            exported.code == 0 && exported.errors.contains("items that a table cannot hold"))
        let (status, said) = await Trials.python("read_items.py", [table])
        try #require(status == 0, "\(said.suffix(1000))")
        let rows = try JSONDecoder().decode([[String: String]].self, from: Data(said.utf8))
        let json = try oracy("papers", "export", "--format", "json").output
        let all = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]])
        let items = all.filter { item in
            let questions = item["questions"] as? [[String: Any]] ?? []
            return ["picture", "passage", "language"].allSatisfy { item[$0] == nil }
                && questions.allSatisfy { $0["alternatives"] == nil && $0["answers"] == nil }
        }
        #expect(items.count > 150 && items.count < all.count)
        #expect(rows.filter { $0["title"] != "" }.map { $0["item"] } == items.map { $0["id"] as? String })
        let asked = items.flatMap { $0["questions"] as? [[String: Any]] ?? [] }
        let rowsOfFrames = rows.filter { $0["part"] == "" }
        #expect(rowsOfFrames.map { $0["question"] } == asked.map { $0["text"] as? String })
        #expect(rowsOfFrames.map { $0["follow_up"] } == asked.map { $0["followUp"] as? String ?? "" })
    }
}
