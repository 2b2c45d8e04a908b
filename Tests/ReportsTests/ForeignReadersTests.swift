import Assessment
import Foundation
import TestSupport
import Testing

@testable import Reports

/// Tests of exports with other libraries: webvtt-py, praatio, and Python's table reader in strict mode.
@Suite(.needs(Trials.obstacle(to: "webvtt", "praatio"))) struct ForeignReadersTests {
    private struct Found: Decodable {
        var cues: [[Value]]
        var length: Double
        var tiers: [String: [[Value]]]
        var rows: [[String: String]]
    }

    /// A number or words.
    private enum Value: Decodable {
        case number(Double)
        case words(String)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Double.self) {
                self = .number(number)
            } else {
                self = .words(try container.decode(String.self))
            }
        }

        var number: Double? { if case .number(let number) = self { number } else { nil } }
        var words: String? { if case .words(let words) = self { words } else { nil } }
    }

    private static func read(_ content: ReportContent) async throws -> Found {
        let folder = try TemporaryFolder()
        let answer = content.answers[0]
        let paths = [
            try folder.file([UInt8](answer.webVTT.utf8)), try folder.file([UInt8](answer.textGrid.utf8)),
            try folder.file([UInt8](content.answersCSV.utf8)),
        ]
        let (status, said) = await Trials.python("readers.py", paths)
        try #require(status == 0, "\(said.suffix(1000))")
        return try JSONDecoder().decode(Found.self, from: Data(said.utf8))
    }

    @Test func othersReadTheSameTimesAndWords() async throws {
        let found = try await Self.read(MadeExam.content())
        let timeline = MadeExam.sound.timeline
        #expect(found.length == timeline.duration)
        // Speech and pauses alternate without gaps from the first word to the last.
        let cues = found.cues.map { ($0[0].number ?? -1, $0[1].number ?? -1, $0[2].words ?? "") }
        let pauses = cues.filter { $0.2 == "[pause]" }
        #expect(pauses.map(\.0) == timeline.silences.map(\.start) && pauses.map(\.1) == timeline.silences.map(\.end))
        #expect(cues.first?.0 == timeline.span?.start && cues.last?.1 == timeline.span?.end)
        for (cue, next) in zip(cues, cues.dropFirst()) { #expect(cue.1 == next.0) }
        let spoken = cues.map(\.2).filter { !$0.hasPrefix("[") }
        #expect(spoken.joined(separator: " ") == "I lives in a small town.")

        #expect(Set(found.tiers.keys) == ["speech", "pauses", "syllables", "words"])
        let written = try #require(found.tiers["pauses"]).filter { $0[2].words == "pause" }
        #expect(written.compactMap { $0[0].number } == timeline.silences.map(\.start))
        #expect(found.tiers["syllables"]?.compactMap { $0[0].number } == timeline.syllables)
        let words = try #require(found.tiers["words"]).compactMap { $0[2].words }.filter { !$0.isEmpty }
        #expect(words.joined(separator: " ") == "I lives in a small town.")

        #expect(found.rows.count == 2)
        #expect(found.rows[0]["answer"] == "part1_q1" && found.rows[0]["pauses"] == "2")
        #expect(Double(found.rows[0]["longest_pause_s"] ?? "") == 1.2)
        #expect(found.rows[0]["words"] == "6" && found.rows[1]["words"] == "" && found.rows[0]["mtld"] == "")
        #expect(found.rows.allSatisfy { $0["word"] != nil && $0["purpose"] == "assessed" && $0.count == 32 })
    }

    /// Texts that break a format if they are not escaped.
    @Test(arguments: [
        "a --> b\n\nc", "\"quoted\", and\nlined", "1\n00:00:01.000 --> 00:00:02.000", "<c.red>&amp;</c>", "é 😀",
    ])
    func wordsBreakNothing(_ text: String) async throws {
        let plain = try await Self.read(MadeExam.content(question: "plain", text: "plain words"))
        let found = try await Self.read(MadeExam.content(question: text, text: text))
        #expect(found.cues.count == plain.cues.count)
        #expect(found.tiers["pauses"]?.count == plain.tiers["pauses"]?.count)
        #expect(found.rows.count == 2)
        let single = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let words = try #require(found.tiers["words"]).compactMap { $0[2].words }.filter { !$0.isEmpty }
        #expect(words.joined(separator: " ") == single)
        #expect(found.rows[0]["question"]?.replacing("\r\n", with: "\n") == text)
    }
}
