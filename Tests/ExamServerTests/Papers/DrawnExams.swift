import ExamCore
import ExamKit
import ExamStore
import Foundation
import HTTPClient
import Papers
import StoreTrials
import TestSupport
import Testing

@testable import ExamNode
@testable import ExamServer

/// Exams with drawn questions. Questions of the last exams don't come again, and requested ones come first.
@Suite(.bothStores(quick: .postgres)) struct DrawnExams {
    /// Starts a server with a format of two topics, so that little has to be spoken.
    private func server(in folder: TemporaryFolder) async throws -> RunningServer {
        try Self.twoTopics(in: folder)
        return try await RunningServer {
            $0.ownExams = folder.path
            $0.limits.examsPerDay = 100
        }
    }

    static func twoTopics(in folder: TemporaryFolder) throws {
        let pages = Programs.file("Page/exams")
        for part in ["formats", "papers"] {
            try FileManager.default.createDirectory(atPath: "\(folder.path)/\(part)", withIntermediateDirectories: true)
        }
        var format = try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: pages + "/formats/short.json")))
                as? [String: Any])
        format["id"] = "topics"
        var part = try #require((format["parts"] as? [[String: Any]])?.first)
        var items = try #require(part["items"] as? [[String: Any]])
        let rules = try #require(items.compactMap { $0["rules"] }.first)
        items = [["section": "topics", "frames": 2, "rules": rules]]
        part["items"] = items
        format["parts"] = [part]
        try JSONSerialization.data(withJSONObject: format).write(
            to: URL(filePath: folder.path + "/formats/topics.json"))
    }

    private func frozen(_ session: String, _ server: RunningServer) async throws -> Paper {
        let id = try #require(UUID(uuidString: session))
        var bytes: [UInt8]?
        try await eventually("the exam is in the store") {
            bytes = try await server.services.store.service.files(of: id)["exam.json"]
            return bytes != nil
        }
        struct Frozen: Decodable { var paper: Paper }
        return try JSONDecoder().decode(Frozen.self, from: Data(bytes ?? [])).paper
    }

    @Test func threeInARowHaveNothingInCommon() async throws {
        let folder = try TemporaryFolder()
        let server = try await server(in: folder)
        let user = UUID()
        func sit(_ wishes: [String: Any] = [:]) async throws -> Paper {
            let body = ["format": "topics", "consent": true].merging(wishes) { $1 }
            let made = try await server.ask("POST", "/v1/exams", body, as: user)
            try #require(made.status == 201, "\(made.text)")
            let paper = try await frozen(try #require(made.object["session"] as? String), server)
            #expect(made.object["paper"] as? String == paper.id && made.object["title"] as? String == paper.title)
            return paper
        }
        var items: [String] = []
        for _ in 0..<3 { items += try #require(try await sit().origin).items }
        #expect(items.count == 6 && Set(items).count == 6)
        // A requested question is drawn although the user has met it.
        let wished = try await sit([
            "topics": [items[0]], "difficulty": ItemBank.builtIn[items[0]]!.about.difficulty.rawValue,
        ])
        #expect(wished.origin?.items.contains(items[0]) == true)
        let seeded = try await sit(["seed": 12])
        #expect(seeded.origin?.seed == 12)
        await server.stop()
    }

    /// The page's taster asks for two questions.
    @Test func anExamHasTheWantedNumberOfQuestions() async throws {
        let folder = try TemporaryFolder()
        let server = try await server(in: folder)
        let wishes: [String: Any] = ["format": "questions", "questions": 2, "mode": "practice", "consent": true]
        let made = try await server.ask("POST", "/v1/exams", wishes, as: UUID())
        try #require(made.status == 201, "\(made.text)")
        let paper = try await frozen(try #require(made.object["session"] as? String), server)
        #expect(paper.sections.values.joined().flatMap(\.questions).count == 2)
        await server.stop()
    }

    @Test func invalidWishesAreNamed() async throws {
        let folder = try TemporaryFolder()
        let server = try await server(in: folder)
        let wrong: [([String: Any], String)] = [
            (["difficulty": "Impossible"], "difficulty: must be Easy, Medium or Hard"),
            (["topics": Array(repeating: "x", count: 11)], "topics: at most 10"),
            (["topics": [""]], "topics[0]"), (["seed": -1], "seed"), (["questions": 0], "questions"),
            (["paper": "bridges", "seed": 1], "leave out topics, difficulty, minutes, questions and seed"),
        ]
        for (fields, sentence) in wrong {
            let body = ["format": "ielts-style", "consent": true].merging(fields) { $1 }
            let answer = try await server.ask("POST", "/v1/exams", body, as: UUID())
            #expect((400...422).contains(answer.status) && answer.text.contains(sentence), "\(fields): \(answer.text)")
        }
        let choices = try await server.ask("GET", "/v1/exams/choices", as: UUID()).object
        let drawn = (choices["formats"] as? [[String: Any]])?.filter { $0["drawn"] as? Bool == true }.compactMap {
            $0["id"] as? String
        }
        #expect(Set(drawn ?? []) == Set(ExamFormat.builtInNames + ["topics"]))
        #expect((choices["topics"] as? [Any])?.count == ItemBank.builtIn.items.count)
        await server.stop()
    }
}
