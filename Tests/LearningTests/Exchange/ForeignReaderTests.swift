import ExamCore
import Foundation
import Reports
import SystemSupport
import TestSupport
import Testing

@testable import Learning

/// Tests that other programs read Oracy's files as intended.
@Suite struct ForeignReaderTests {
    private static let pack = QuestionPack.builtIn[0]
    /// The questions of a built-in pack, and of the kinds that no built-in pack has.
    private static let questions = pack.questions + RoundTripTests.kinds

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func read<Seen: Decodable>(_ format: String, _ texts: [String], as type: Seen.Type) async throws -> Seen {
        let files = try texts.map { try folder.file(Array($0.utf8)) }
        let (status, said) = await Trials.python("read_pack.py", [format] + files)
        try #require(status == 0, "\(said.suffix(1000))")
        // A library may print warnings first. The JSON is on the last line.
        return try JSONDecoder().decode(type, from: Data((said.split(separator: "\n").last ?? "").utf8))
    }

    private struct SeenGIFT: Decodable {
        var title, text, kind, feedback: String
        var right: [String]
        var options: Int
    }

    @Test(.needs(Trials.obstacle(to: "pygiftparser"))) func aReaderOfGIFTReadsTheBank() async throws {
        let seen = try await read("gift", [GIFTText.text(of: Self.pack)], as: [SeenGIFT].self)
        try #require(seen.count == Self.pack.questions.count)
        for (one, question) in zip(seen, Self.pack.questions) {
            guard case .multipleChoice(let key) = question.key else { continue }
            #expect(one.title == question.id && one.text == question.prompt && one.feedback == question.explanation)
            #expect(
                one.kind == "SelectSet" && one.right == [key.options[key.correct]] && one.options == key.options.count)
        }
    }

    @Test(.needs(Trials.obstacle(to: "pip"))) func pythonReadsTheTable() async throws {
        let rows = PackTable.rows(of: Self.questions + RoundTripTests.nasty)
        let seen = try await read("csv", [CSVText.text(rows)], as: [[String: String]].self)
        // Other programs see the apostrophe that keeps a spreadsheet from computing a cell.
        let written = rows.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(rows[0], $0.map(\.guardedCell))) }
        #expect(seen == written)
        #expect(seen.contains { $0["prompt"] == "'=TRUE" })
    }

    private struct SeenAnki: Decodable {
        struct Count: Decodable { var new, same, found: Int }
        struct Note: Decodable {
            var guid, front, back: String
            var tags: [String]
        }
        var counts: [Count]
        var notes: [Note]
    }

    /// Imports the notes twice with Anki's own code. The second time it recognises all of them by their ids.
    @Test(.needs(Trials.obstacle(to: "anki"))) func ankiImportsNotes() async throws {
        let questions = Self.questions + RoundTripTests.nasty
        let held = questions.filter(AnkiNotes.holds)
        let text = AnkiNotes.text(of: QuestionPack(id: "p", title: "P", questions: questions))
        let seen = try await read("anki", [text], as: SeenAnki.self)
        #expect(seen.counts.map(\.new) == [held.count, 0] && seen.counts.map(\.found) == [held.count, held.count])
        let notes = Dictionary(uniqueKeysWithValues: seen.notes.map { ($0.guid, $0) })
        for question in held {
            let note = try #require(notes[question.id], "\(question.id)")
            let prompt = question.prompt.replacing("\n", with: "<br>").replacing("\t", with: " ")
            #expect(note.front.hasPrefix(prompt), "\(note.front)")
            #expect(note.tags.contains("difficulty::\(question.difficulty.rawValue.lowercased())"))
            guard case .multipleChoice(let key) = question.key else { continue }
            #expect(note.front.components(separatedBy: "<li>").count == key.options.count + 1)
        }
        #expect(notes["rate-1"]?.back.hasPrefix("<b>110 words (± 0.5)</b><br>") == true)
        #expect(notes["hand-1"]?.back.hasPrefix("<b>hand / side / 5*3</b><br>") == true)
    }

    private struct SeenMoodle: Decodable {
        var id, type, text, feedback: String
        var right, pairs: [String]
        var options: Int
    }

    @Test(.needs(Trials.obstacle(to: "pip"))) func pythonReadsMoodleXML() async throws {
        let held = (Self.questions + RoundTripTests.nasty).filter(MoodleXMLText.holds)
        let text = MoodleXMLText.text(of: QuestionPack(id: "p", title: "P", questions: held))
        let seen = try await read("moodle", [text], as: [SeenMoodle].self)
        try #require(seen.count == held.count)
        for (one, question) in zip(seen, held) {
            #expect(one.id == question.id && one.text == question.prompt && one.feedback == question.explanation)
            switch question.key {
            case .multipleChoice(let key):
                #expect(one.type == "multichoice" && one.options == key.options.count)
                #expect(one.right == [key.options[key.correct]])
            case .multipleResponse(let key):
                #expect(one.type == "multichoice" && one.options == key.options.count)
                #expect(one.right == key.correct.map { key.options[$0] })
            case .ordering(let key):
                #expect(one.type == "ordering" && one.right == key.correct.map { key.options[$0] })
            case .matching(let key):
                let pairs = zip(key.premises, key.correct).map { "\($0) = \(key.options[$1])" }
                #expect(one.type == "matching" && one.pairs == pairs + key.others.map { " = \($0)" })
            case .fillInTheBlank(let key):
                #expect(one.type == "shortanswer")
                #expect(one.right.map { $0.replacing("\\*", with: "*") } == key.accepted)
            case .calculation(let key): #expect(one.type == "numerical" && one.right.map(Double.init) == [key.value])
            case .spoken: Issue.record("said aloud")
            }
        }
    }

    private struct SeenItem: Decodable {
        var identifier, type: String
        var right: [String]
        var choices: [String: String]
        var fields: Int
    }

    @Test(.needs(Trials.obstacle(to: "pip"))) func pythonReadsItemsOfQTI() async throws {
        let held = Self.questions.filter { QTIItem.text(of: $0) != nil }
        let seen = try await read("qti", held.compactMap(QTIItem.text(of:)), as: [SeenItem].self)
        try #require(seen.count == held.count)
        for (one, question) in zip(seen, held) {
            #expect(one.identifier == question.id)
            switch question.key {
            case .multipleChoice(let key):
                #expect(one.type == "identifier" && one.fields == 0)
                #expect(one.right.compactMap { one.choices[$0] } == [key.options[key.correct]])
                #expect(one.choices.sorted { $0.key < $1.key }.map(\.value) == key.options)
            case .multipleResponse(let key):
                #expect(one.right.compactMap { one.choices[$0] } == key.correct.map { key.options[$0] })
            case .ordering(let key):
                #expect(one.right.compactMap { one.choices[$0] } == key.correct.map { key.options[$0] })
            case .matching(let key):
                let pairs = one.right.map { $0.split(separator: " ").compactMap { one.choices[String($0)] } }
                #expect(pairs == zip(key.premises, key.correct).map { [$0, key.options[$1]] })
            case .fillInTheBlank(let key):
                #expect(one.type == "string" && one.fields == 1 && one.right == [key.accepted[0]])
            case .calculation(let key):
                #expect(one.type == "float" && one.fields == 1 && Double(one.right[0]) == key.value)
            case .spoken: Issue.record("said aloud")
            }
        }
    }
}
