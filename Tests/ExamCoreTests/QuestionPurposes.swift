import Foundation
import Testing

@testable import ExamCore

/// Questions that ask who the candidate is, and those that are assessed.
@Suite struct QuestionPurposes {
    private struct Held: AnswerBearing { var record: AnswerRecord }

    private static func read(_ fields: String) throws -> AnswerRecord {
        try JSONDecoder().decode(
            AnswerRecord.self, from: Data(#"{"part":1,"order":1,"attempt":1,\#(fields)}"#.utf8))
    }

    private static func text(_ record: AnswerRecord) throws -> String {
        String(decoding: try JSONEncoder().encode(record), as: UTF8.self)
    }

    @Test(arguments: ["full-name", "short-name", "where-from", "identity", "introduce-yourself"])
    func recordsFromBeforeQuestionsHadAPurposeKeepTheirPromise(_ question: String) throws {
        let old = try Self.read(#""question":"\#(question)""#)
        #expect(old.purpose == .introduction && !old.counts)
        #expect(try Self.read(#""question":"\#(question)","purpose":"assessed""#).purpose == .assessed)
    }

    @Test func recordsStateWhatTheirQuestionDoesNotTell() throws {
        var home = try Self.read(#""question":"home-1""#)
        #expect(home.purpose == .assessed && home.counts)
        home.purpose = .assessed
        #expect(try !Self.text(home).contains("purpose"))
        home.purpose = .introduction
        #expect(try Self.text(home).contains(#""purpose":"introduction""#) && !home.counts)
        var identity = try Self.read(#""question":"identity""#)
        identity.purpose = .assessed
        #expect(try Self.text(identity).contains(#""purpose":"assessed""#) && identity.counts)
        #expect(throws: DecodingError.self) { try Self.read(#""question":"home-1","purpose":"secret""#) }
    }

    @Test func othersGetNoIntroductions() throws {
        var practice = try Self.read(#""question":"try""#)
        practice.practice = true
        let all = [try Self.read(#""question":"full-name""#), try Self.read(#""question":"home-1""#), practice]
            .map(Held.init)
        #expect(all.assessed.map(\.record.question) == ["home-1", "try"])
        #expect(all.counted.map(\.record.question) == ["home-1"])
    }

    private static func purposes(_ materials: Materials) throws -> [String: QuestionPurpose] {
        Dictionary(try materials.script.turns.map { ($0.id, $0.purpose) }) { first, _ in first }
    }

    /// The format has the say about its items, and a paper may add introductions of its own.
    @Test func formatsAndPapersSayWhatTheirQuestionsAreFor() throws {
        var materials = Materials()
        #expect(try Self.purposes(materials).values.allSatisfy { $0 == .assessed })
        let question = materials.paper.sections["topics"]![0].questions[0].id
        materials.paper.sections["topics"]![0].questions[0].purpose = .introduction
        #expect(try Self.purposes(materials).filter { $0.value == .introduction }.map(\.key) == [question])
        materials.paper.sections["topics"]![0].questions[0].purpose = nil
        for part in materials.format.parts.indices {
            for item in materials.format.parts[part].items.indices
            where materials.format.parts[part].items[item].section == "topics" {
                materials.format.parts[part].items[item].purpose = .introduction
            }
        }
        #expect(try Self.purposes(materials)[question] == .introduction)
    }
}
