import Foundation
import HTTPClient
import StoreTrials
import TestSupport
import Testing

@testable import ExamNode
@testable import ExamServer

/// Practice tests that a model writes, on any node. The bank supplies the questions that the model can't write.
@Suite(.bothStores) struct WrittenTests {
    private static var wish: [String: Any] { ["count": 2, "topics": ["volcanoes"], "from": "model", "seed": 5] }

    private func ended(_ id: String, _ learner: Learner) async throws -> [String: Any] {
        var told: [String: Any] = [:]
        try await eventually("the test is written") {
            told = try await learner.told("GET", "practice-tests/\(id)")
            return told["state"] as? String != "generating"
        }
        return told
    }

    /// The node ends while it waits for the model.
    @Test func anotherNodeContinuesTheWriting() async throws {
        let service = try WritingService()
        defer { service.stop() }
        let database = try await TestDatabase.migrated()
        var store = try database.open()
        var learner = Learner(server: try await RunningServer(store: store, assessors: service.panel()))
        service.pause()
        let made = try await learner.ask("POST", "practice-tests", Self.wish)
        try #require(made.status == 202, "\(made.text)")
        let id = try #require(made.object["id"] as? String)
        #expect(made.object["state"] as? String == "generating" && made.object["written"] as? Int == 0)
        #expect(made.object["questions"] == nil)
        #expect(try await learner.ask("POST", "practice-tests/\(id)/start").code == "test-not-ready")
        try await eventually("the model is asked") { service.count == 1 }
        await learner.server.stop()
        service.goOn()

        store = try database.open()
        learner.server = try await RunningServer(store: store, assessors: service.panel())
        let told = try await ended(id, learner)
        #expect(told["state"] as? String == "ready" && (told["questions"] as? [Any])?.count == 2, "\(told)")
        let shortfalls = told["shortfalls"] as? [String] ?? []
        #expect(shortfalls.count { $0.contains("not volcanoes") } == 2, "\(shortfalls)")
        #expect(try await learner.told("POST", "practice-tests/\(id)/start")["state"] as? String == "inProgress")
        await learner.server.stop()
    }

    @Test func failedWritingIsReportedAndTriedAgain() async throws {
        let service = try WritingService()
        defer { service.stop() }
        let learner = Learner(server: try await RunningServer(assessors: service.panel()))
        service.askForAnotherKey(true)
        let id = try #require(try await learner.told("POST", "practice-tests", Self.wish)["id"] as? String)
        for isLast in [false, true] {
            let told = try await ended(id, learner)
            #expect(told["state"] as? String == "failed" && (told["failure"] as? String)?.isEmpty == false, "\(told)")
            #expect(told["questions"] == nil)
            if isLast { service.askForAnotherKey(false) }
            #expect(try await learner.ask("POST", "practice-tests/\(id)/retry").status == 202)
        }
        #expect(try await ended(id, learner)["state"] as? String == "ready")
        #expect(try await learner.ask("POST", "practice-tests/\(id)/retry").code == "not-failed")
        await learner.server.stop()
    }

    @Test func limitsAndConsentHold() async throws {
        let service = try WritingService()
        defer { service.stop() }
        let learner = Learner(
            server: try await RunningServer(assessors: service.panel(recipient: "Example Ltd")) {
                $0.limits.papersWrittenPerDay = 1
            })
        let asked = try await learner.ask("POST", "practice-tests", Self.wish)
        #expect(asked.status == 403 && asked.code == "consent-missing" && service.count == 0)
        let agreed = Self.wish.merging(["agreedTo": "Example Ltd"]) { $1 }
        #expect(try await learner.ask("POST", "practice-tests", agreed).status == 202)
        let second = try await learner.ask("POST", "practice-tests", agreed)
        #expect(second.status == 429 && second.text.contains("have 1 tests written a day"), "\(second.text)")
        #expect(try await learner.ask("POST", "practice-tests", ["count": 2]).status == 201)
        await learner.server.stop()
    }
}
