import ExamStore
import Foundation
import HTTPClient
import StoreTrials
import TestSupport
import Testing

@testable import ExamNode
@testable import ExamServer

/// A user's own papers, drawn or written. Other users don't see them.
@Suite(.bothStores) struct OwnPapers {
    private let user = UUID()

    /// Starts a server with a format of two topics, which a model can write.
    private func server(
        in folder: TemporaryFolder, store: ExamDatabase? = nil, _ panel: AssessorPanel = AssessorPanel(),
        _ change: @escaping (inout ServerSettings) -> Void = { _ in }
    ) async throws -> RunningServer {
        try DrawnExams.twoTopics(in: folder)
        return try await RunningServer(store: store, assessors: panel) {
            $0.ownExams = folder.path
            change(&$0)
        }
    }

    private func ready(_ id: String, _ server: RunningServer) async throws -> [String: Any] {
        var told: [String: Any] = [:]
        try await eventually("the paper is there") {
            told = try await server.ask("GET", "/v1/papers/\(id)", as: user).object
            return told["state"] as? String != "writing"
        }
        return told
    }

    @Test func aDrawnPaperIsThereAtOnceAndIsSat() async throws {
        let folder = try TemporaryFolder()
        let server = try await server(in: folder)
        let made = try await server.ask(
            "POST", "/v1/papers", ["format": "topics", "topics": ["rain"], "seed": 4], as: user)
        try #require(made.status == 201, "\(made.text)")
        #expect(made.object["state"] as? String == "ready" && made.object["wanted"] == nil)
        let id = try #require(made.object["id"] as? String)
        let document = try #require(made.object["paper"] as? [String: Any])
        let items = (document["origin"] as? [String: Any])?["items"] as? [String]
        #expect(items?.contains("rain") == true && (made.object["writtenBy"] as? [String])?.isEmpty == true)

        let stranger = UUID()
        for (method, path) in [("GET", ""), ("DELETE", ""), ("POST", "/retry")] {
            #expect(try await server.ask(method, "/v1/papers/\(id)\(path)", as: stranger).status == 404)
        }
        let wish: [String: Any] = ["format": "topics", "paper": id, "consent": true]
        #expect(try await server.ask("POST", "/v1/exams", wish, as: stranger).status == 400)
        let exam = try await server.ask("POST", "/v1/exams", wish, as: user)
        #expect(exam.status == 201 && exam.object["paper"] as? String == document["id"] as? String, "\(exam.text)")
        // The user has met these questions, so the next paper has none of them.
        let next = try await server.ask("POST", "/v1/papers", ["format": "topics", "seed": 4], as: user)
        let others = ((next.object["paper"] as? [String: Any])?["origin"] as? [String: Any])?["items"] as? [String]
        #expect(Set(items ?? []).isDisjoint(with: others ?? ["rain"]))

        #expect(try await server.ask("POST", "/v1/papers/\(id)/retry", as: user).status == 409)
        #expect(try await server.ask("DELETE", "/v1/papers/\(id)", as: user).status == 204)
        #expect(try await server.ask("GET", "/v1/papers/\(id)", as: user).status == 404)
        await server.stop()
    }

    /// A teacher's list becomes a paper, which can be sat.
    @Test func aListOfQuestionsIsAPaper() async throws {
        let folder = try TemporaryFolder()
        let server = try await server(in: folder)
        let rows = (1...20).map { "What is number \($0) on your list?" }
        let body: [String: Any] = ["title": "A list", "table": "question\n" + rows.joined(separator: "\n")]
        let made = try await server.ask("POST", "/v1/question-lists", body, as: user)
        try #require(made.status == 201, "\(made.text)")
        #expect(made.object["format"] as? String == "questions" && made.object["state"] as? String == "ready")
        let id = try #require(made.object["id"] as? String)
        let wish: [String: Any] = ["format": "questions", "paper": id, "consent": true]
        let exam = try await server.ask("POST", "/v1/exams", wish, as: user)
        #expect(exam.status == 201 && exam.object["title"] as? String == "A list", "\(exam.text)")
        for (table, why) in [
            ("frage\nWas?\n", "unknown-column"), ("question\n\"What?\n", "quotes"), ("question\n", "no-rows"),
        ] {
            let refused = try await server.ask(
                "POST", "/v1/question-lists", ["title": "A list", "table": table], as: user)
            #expect(
                refused.status == 400 && refused.text.contains(why) && refused.text.contains("table:"),
                "\(refused.text)")
        }
        await server.stop()
    }

    @Test func aModelWritesIsRepairedAndFallsBackAndTheRestIsDrawn() async throws {
        let folder = try TemporaryFolder()
        let service = try WritingService()
        defer { service.stop() }
        let server = try await server(in: folder, service.panel())
        let choices = try await server.ask("GET", "/v1/exams/choices", as: user).object
        #expect((choices["writer"] as? [String: String]) == ["model": "m-1"])
        service.pause()
        let made = try await server.ask(
            "POST", "/v1/papers", ["format": "topics", "topics": ["bees", "rain"], "from": "model", "seed": 2], as: user
        )
        try #require(made.status == 202, "\(made.text)")
        #expect(made.object["title"] as? String == "bees, rain" && made.object["wanted"] as? Int == 2)
        let id = try #require(made.object["id"] as? String)
        let early = try await server.ask(
            "POST", "/v1/exams", ["format": "topics", "paper": id, "consent": true], as: user)
        #expect(early.status == 409 && early.header("Retry-After") == "5", "\(early.text)")
        service.goOn()
        let told = try await ready(id, server)
        #expect(told["state"] as? String == "ready" && told["written"] as? Int == 2, "\(told)")
        #expect(told["writtenBy"] as? [String] == ["m-1"])
        #expect((told["shortfalls"] as? [String])?.count == 1, "rain stands in: \(told["shortfalls"] ?? "")")
        let statistics = try #require(told["statistics"] as? [String: Any])
        #expect(statistics["attempts"] as? Int == 7 && statistics["repairs"] as? Int == 5)
        #expect(statistics["fallbacks"] as? Int == 1 && (statistics["byRule"] as? [String: Int])?["counts"] == 1)
        let paper = try #require(told["paper"] as? [String: Any])
        let items = (paper["origin"] as? [String: Any])?["items"] as? [String] ?? []
        #expect(Set(items) == ["bees", "rain"], "\(items)")
        let list = try await server.ask("GET", "/v1/papers", as: user).object["papers"] as? [[String: Any]]
        #expect(list?.count == 1 && list?.first?["paper"] == nil && list?.first?["state"] as? String == "ready")
        let exam = try await server.ask(
            "POST", "/v1/exams", ["format": "topics", "paper": id, "consent": true], as: user)
        #expect(exam.status == 201, "\(exam.text)")
        await server.stop()
    }

    /// The model can write only one of two topics. The paper is ready, and names the topic that replaced the other one.
    @Test func aPartlyWrittenPaperIsCompletedByDrawing() async throws {
        let folder = try TemporaryFolder()
        let service = try WritingService()
        defer { service.stop() }
        let server = try await server(in: folder, service.panel())
        let made = try await server.ask(
            "POST", "/v1/papers", ["format": "topics", "topics": ["volcanoes", "bees"], "from": "model"], as: user)
        let told = try await ready(try #require(made.object["id"] as? String), server)
        #expect(told["state"] as? String == "ready" && told["written"] as? Int == 1 && told["wanted"] as? Int == 2)
        let sentences = told["shortfalls"] as? [String] ?? []
        #expect(
            sentences.count == 1 && sentences[0].contains("nothing on \"volcanoes\" could be written"), "\(sentences)")
        let origin = (told["paper"] as? [String: Any])?["origin"] as? [String: Any]
        let items = origin?["items"] as? [String] ?? []
        #expect(items.count == 2 && items.contains("bees"), "\(items)")
        await server.stop()
    }

    /// A node may end at any moment. Another one continues, and doesn't repeat a request that was answered.
    @Test func anotherNodeContinuesTheWriting() async throws {
        let folder = try TemporaryFolder()
        let service = try WritingService()
        defer { service.stop() }
        let database = try await TestDatabase.migrated()
        var store = try database.open()
        var server = try await server(in: folder, store: store, service.panel())
        service.pause()
        let made = try await server.ask(
            "POST", "/v1/papers", ["format": "topics", "topics": ["bees"], "from": "model"], as: user)
        let id = try #require(made.object["id"] as? String)
        try await eventually("the model is asked") { service.count == 1 }
        await server.stop()
        service.goOn()
        store = try database.open()
        server = try await self.server(in: folder, store: store, service.panel())
        let told = try await ready(id, server)
        #expect(told["state"] as? String == "ready", "\(told)")
        await server.stop()
    }

    @Test func anErasedPaperIsNotWrittenFurther() async throws {
        let folder = try TemporaryFolder()
        let service = try WritingService()
        defer { service.stop() }
        let server = try await server(in: folder, service.panel())
        service.pause()
        let made = try await server.ask(
            "POST", "/v1/papers", ["format": "topics", "topics": ["volcanoes"], "from": "model"], as: user)
        let id = try #require(made.object["id"] as? String)
        try await eventually("the model is asked") { service.count == 1 }
        #expect(try await server.ask("DELETE", "/v1/papers/\(id)", as: user).status == 204)
        service.goOn()
        // The worker is free again, and writes the next paper.
        let next = try await server.ask(
            "POST", "/v1/papers", ["format": "topics", "topics": ["bees"], "from": "model"], as: user)
        let told = try await ready(try #require(next.object["id"] as? String), server)
        #expect(told["state"] as? String == "ready" && service.count == 2, "\(told)")
        await server.stop()
    }

    @Test func failedWritingIsReportedAndTriedAgain() async throws {
        let folder = try TemporaryFolder()
        let service = try WritingService()
        let server = try await server(in: folder, service.panel())
        // The bank has nothing on the topic, and the model can't write about it.
        let made = try await server.ask(
            "POST", "/v1/papers", ["format": "topics", "topics": ["volcanoes"], "from": "model"], as: user)
        let id = try #require(made.object["id"] as? String)
        let told = try await ready(id, server)
        #expect(
            told["state"] as? String == "failed" && (told["failure"] as? String)?.hasPrefix("m-1 wrote nothing") == true
        )
        #expect(try await server.ask("POST", "/v1/papers/\(id)/retry", as: user).status == 202)
        let again = try await ready(id, server)
        #expect(again["state"] as? String == "failed" && service.count == 10, "\(service.count)")
        service.stop()
        #expect(try await server.ask("POST", "/v1/papers/\(id)/retry", as: user).status == 202)
        #expect(try await ready(id, server)["state"] as? String == "failed")
        await server.stop()
    }

    @Test func limitsConsentAndInvalidWishesAreNamed() async throws {
        let folder = try TemporaryFolder()
        let service = try WritingService()
        defer { service.stop() }
        let server = try await server(in: folder, service.panel(recipient: "Example Ltd")) {
            ($0.limits.papers, $0.limits.papersWrittenPerDay) = (3, 1)
        }
        let wish: [String: Any] = ["format": "topics", "topics": ["bees"], "from": "model"]
        let asked = try await server.ask("POST", "/v1/papers", wish, as: user)
        #expect(asked.status == 403 && asked.text.contains("are sent to Example Ltd") && service.count == 0)
        let agreed = wish.merging(["agreedTo": "Example Ltd"]) { $1 }
        let first = try await server.ask("POST", "/v1/papers", agreed, as: user)
        #expect(first.status == 202)
        let second = try await server.ask("POST", "/v1/papers", agreed, as: user)
        #expect(second.status == 429 && second.text.contains("writes at most 1 a day"), "\(second.text)")
        for _ in 0..<2 {
            #expect(try await server.ask("POST", "/v1/papers", ["format": "topics"], as: user).status == 201)
        }
        #expect(try await server.ask("POST", "/v1/papers", ["format": "topics"], as: user).status == 429)
        #expect(try await server.ask("POST", "/v1/papers", ["format": "topics"], as: UUID()).status == 201)
        let wrong: [([String: Any], String)] = [
            (["from": "friend"], "from: must be bank or model."),
            (["format": "none"], "format: no format has this name."),
            (["format": "hskk-style", "from": "model"], "format: no model can write for it."),
            (["minutes": 0], "minutes"),
            (["minutes": 3], "length: the shortest paper for format \\\"ielts-style\\\" takes about"),
            (["topics": Array(repeating: "x", count: 11)], "topics: at most 10"),
        ]
        for (body, sentence) in wrong {
            let answer = try await server.ask("POST", "/v1/papers", body, as: UUID())
            #expect(answer.status == 400 && answer.text.contains(sentence), "\(body): \(answer.text)")
        }
        await server.stop()
        let without = try await self.server(in: folder)
        let refused = try await without.ask("POST", "/v1/papers", ["from": "model"], as: user)
        #expect(refused.status == 400 && refused.text.contains("no model writes papers on this server"))
        await without.stop()
    }
}
