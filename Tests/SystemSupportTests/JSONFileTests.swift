import ExamCore
import Foundation
import SystemSupport
import Testing

/// The messages to a person who made a mistake in a file.
@Suite struct JSONFileTests {
    /// If the 513th list opens with the last byte, Foundation's own decoder ends the process.
    @Test(arguments: [101, 511, 512, 513, 514, 100_000])
    func deeplyNestedJSONNeverReachesTheDecoder(_ depth: Int) {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            let opened = String(repeating: open, count: depth)
            for text in [opened, opened + "1" + String(repeating: close, count: depth)] {
                #expect(throws: DecodingError.self) {
                    try JSONDecoder().decodeForeign([String].self, from: Data(text.utf8))
                }
            }
        }
    }

    @Test func bracketsInTextsAreNotDeep() throws {
        let texts = [String(repeating: "[", count: 600), "\"" + String(repeating: "{", count: 600), "\\[", "]"]
        let data = try JSONEncoder().encode(texts)
        #expect(try JSONDecoder().decodeForeign([String].self, from: data) == texts)
        let wide = Data(("[" + String(repeating: "[],", count: 600) + "[]]").utf8)
        #expect(try JSONDecoder().decodeForeign([[String]].self, from: wide).count == 601)
    }

    @Test func aGoodPaperIsRead() throws {
        let paper = try decode(Paper.self, "paper", Self.paper)
        #expect(paper.sections["topics"]?.first?.questions.first?.followUp?.text == "Why?")
    }

    @Test(arguments: [
        // Missing.
        Slip("\"title\": \"Home\",", "", "title: is missing"),
        Slip("\"text\": \"Where?\",", "", "sections.topics[0].questions[0].text: is missing"),
        // A value of the wrong type.
        Slip("\"home\"", "7", "sections.topics[0].id: should be text"),
        Slip("\"little\"", "null", "id: is null; it should be text"),
        Slip("[\"where\"]", "\"where\"", "sections.topics[0].questions[0].card.points: should be a list [ … ]"),
        Slip(
            "{ \"text\": \"Why?\" }", "\"Why?\"",
            "sections.topics[0].questions[0].followUp: should be an object { … }"
        ),
        // Misspelt.
        Slip("\"title\"", "\"titel\": \"x\", \"title\"", "titel: is not a field of a paper"),
        // A file of another version.
        Slip("\"version\": 1", "\"version\": 2", "version: this paper has version 2; this program reads version 1"),
        Slip("\"version\": 1", "\"version\": 1.5", "version: this paper has version 1.5; this program reads version 1"),
        Slip("\"version\": 1,", "", "version: this paper has no version; this program reads version 1"),
    ])
    func aSlipInAPaperIsNamedWithItsField(_ slip: Slip) throws {
        let problem = #expect(throws: Problem.self) { try decode(Paper.self, "paper", slip.made(in: Self.paper)) }
        #expect(problem == Problem(.malformed, "a/file.json: \(slip.sentence)"))
    }

    @Test(arguments: [
        Slip("\"notes\": true", "\"notes\": \"yes\"", "parts[1].items[0].preparation.notes: should be true or false"),
        Slip("\"number\": 1,", "\"number\": \"1\",", "parts[0].number: should be a whole number"),
        Slip("\"hardCap\": 840", "\"hardCap\": \"14 minutes\"", "hardCap: should be a number"),
        Slip("[30, 10, 5]", "[30, \"ten\", 5]", "warnings[1]: should be a number"),
        Slip("\"rules\": {", "\"rules\": [], \"x\": {", "rules: should be an object { … }"),
        Slip("\"hardCap\": 840", "\"hardCap\": -1", "hardCap: -1.0 is not a number of seconds from 0 to 86400"),
        Slip("[30, 10, 5]", "[30, -5]", "warnings[1]: -5.0 is not a number of seconds from 0 to 86400"),
        Slip("\"hardCap\": 840", "\"hardCap\": 86401", "hardCap: 86401.0 is not a number of seconds from 0 to 86400"),
    ])
    func aSlipInAFormatIsNamedWithItsField(_ slip: Slip) throws {
        let problem = #expect(throws: Problem.self) {
            try decode(ExamFormat.self, "format", slip.made(in: Self.format))
        }
        #expect(problem == Problem(.malformed, "a/file.json: \(slip.sentence)"))
    }

    @Test func anEmptyFileIsSaidToBeEmpty() {
        let problem = #expect(throws: Problem.self) { try decode(Paper.self, "paper", "") }
        #expect(problem == Problem(.malformed, "a/file.json: is empty; it should be a paper in JSON"))
    }

    @Test(arguments: [
        "{ \"version\": 1, \"id\": x }", "{ \"version\": 1", "words", " \n", "{ \"version\": NaN }",
        "{ \"version\": 1 } {}", "{ \"version\": 1, // one\n \"id\": \"x\" }",
    ])
    func textThatIsNotJSONIsRefused(_ text: String) {
        let problem = #expect(throws: Problem.self) { try decode(Paper.self, "paper", text) }
        #expect(problem?.kind == .malformed)
        #expect(problem?.sentence.hasPrefix("a/file.json: is not JSON") == true)
    }

    @Test func bytesThatAreNotUTF8AreRefused() {
        // The word "café" in Latin-1.
        let bytes = Array(Self.paper.utf8.prefix { $0 != UInt8(ascii: "H") }) + [0xe9] + Array("\" }".utf8)
        let problem = #expect(throws: Problem.self) {
            try JSONFile.decode(Paper.self, "paper", version: 1, from: bytes, name: "a/file.json")
        }
        #expect(problem?.kind == .malformed)
        #expect(problem?.sentence.hasPrefix("a/file.json: is not ") == true)
    }

    // MARK: - Messages about syntax

    @Test func aSyntaxErrorNamesItsLine() {
        let problem = #expect(throws: Problem.self) {
            try decode(Paper.self, "paper", "{\n  \"version\": 1,\n  \"id\": x\n}")
        }
        #expect(problem?.sentence.contains("line 3") == true)
    }

    @Test(arguments: [
        Slip("\"number\": 1,", "\"number\": 1.5,", "is not UTF-8, or has a number that"),
        Slip("\"number\": 1,", "\"number\": 99999999999999999999,", "is not UTF-8, or has a number that"),
        Slip("\"firstWord\"", "\"firstword\"", "rules.talk.clock: should be opening or firstWord"),
        Slip("{ \"say\": [\"greeting\"] }", "{ \"say\": [], \"frame\": 2 }", "parts[0].items[0].frame: is not a field"),
        Slip("\"version\": 1", "\"version\": \"1\"", "version: should be a whole number"),
        Slip("\"version\": 1", "\"version\": 1e30", "version: this format has version 1e+30"),
    ])
    func theFieldIsNamedAsInTheOtherSentences(_ slip: Slip) throws {
        let problem = #expect(throws: Problem.self) {
            try decode(ExamFormat.self, "format", slip.made(in: Self.format))
        }
        #expect(problem?.sentence.hasPrefix("a/file.json: \(slip.sentence)") == true)
    }

    @Test func aKnownFieldThatIsNullIsAbsent() throws {
        let text = try Slip("{ \"text\": \"Why?\" }", "null", "").made(in: Self.paper)
        let paper = try decode(Paper.self, "paper", text)
        #expect(paper.sections["topics"]?[0].questions[0].followUp == nil)
    }

    private static let paper = """
        {
          "version": 1, "id": "little", "title": "Home",
          "sections": {
            "topics": [
              {
                "id": "home",
                "questions": [
                  {
                    "id": "home-1", "text": "Where?", "followUp": { "text": "Why?" },
                    "card": { "topic": "A house", "points": ["where"], "explain": "and why" }
                  }
                ]
              }
            ]
          }
        }
        """

    /// The built-in format in the sources.
    private static let format: String = {
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let file = package.appending(path: "Sources/ExamKit/Formats/ielts-style.json")
        return (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    }()

    private func decode<Value: Codable>(_ type: Value.Type, _ kind: String, _ text: String) throws(Problem) -> Value {
        try JSONFile.decode(type, kind, version: 1, from: Array(text.utf8), name: "a/file.json")
    }
}

/// A slip of the pen: a text to replace once, its replacement, and the resulting message.
struct Slip: Sendable, CustomTestStringConvertible {
    var right: String
    var wrong: String
    var sentence: String

    init(_ right: String, _ wrong: String, _ sentence: String) {
        self.right = right
        self.wrong = wrong
        self.sentence = sentence
    }

    var testDescription: String { sentence }

    func made(in text: String) throws -> String {
        let place = try #require(text.firstRange(of: right), "\(right) is not in the file")
        return text.replacingCharacters(in: place, with: wrong)
    }
}

extension String {
    fileprivate func replacingCharacters(in range: Range<Index>, with words: String) -> String {
        self[..<range.lowerBound] + words + self[range.upperBound...]
    }
}
