import Foundation
import HTTPClient
import StoreTrials
import Testing

@testable import ExamNode
@testable import ExamServer
@testable import ExamStore

/// The tests change stored items without the server. The check of the seal names each of them.
@Suite(.bothStores) struct TamperedStorage {
    private func differs(_ school: School, _ session: String, _ learner: UUID) async throws -> [String] {
        let told = try await school.ask("GET", "/v1/sessions/\(session)/seal", as: learner).object
        let items = (told["differs"] as? [[String: String]] ?? []).map { "\($0["item"] ?? "") \($0["why"] ?? "")" }
        #expect(told["state"] as? String == (items.isEmpty ? "sealed" : "broken"))
        return items
    }

    @Test func aRecordingThatWasChangedOrRemovedIsNamed() async throws {
        let school = try await School()
        let (session, learner) = try await school.sat(answers: 3)
        #expect(try await differs(school, session, learner) == [])
        let id = try #require(UUID(uuidString: session))
        let owned = school.server.services.owned(by: learner)
        var files: [String] = []
        for response in try await owned.responses(of: id) {
            files.append(school.server.folder + "/audio/" + (try #require(try await owned.recording(response.id)).key))
        }
        // One bit. The length stays the same.
        var bytes = try Data(contentsOf: URL(filePath: files[1]))
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: URL(filePath: files[1]))
        #expect(try await differs(school, session, learner) == ["part1_q2 recording has other bytes in storage"])
        try FileManager.default.removeItem(atPath: files[2])
        #expect(
            try await differs(school, session, learner) == [
                "part1_q2 recording has other bytes in storage", "part1_q3 recording is not in storage",
            ])
        await school.server.stop()
    }

    /// An administrator of the database can remove its guards. The hashes still reveal a changed row.
    @Test func aRowThatWasChangedIsNamed() async throws {
        let school = try await School()
        let (session, learner) = try await school.sat(answers: 2)
        let (id, store) = (try #require(UUID(uuidString: session)), school.server.services.store)
        func without(_ trigger: String, on table: String, _ statement: String) async throws {
            try await store.service.write { connection in
                let place = store.dialect == .postgres ? " ON \(table)" : ""
                try connection.change("DROP TRIGGER \(trigger)\(place)")
                try connection.change(statement, [id])
            }
        }
        try await without(
            "sealed_responses_update", on: "responses",
            """
            UPDATE responses SET record = '{"question":"part1-home-2","part":1,"order":2,"attempt":1,"end":"startedAgain"}'
            WHERE test_session_id = ? AND question_order = 2
            """)
        #expect(try await differs(school, session, learner) == ["part1_q2 record was changed"])
        try await without(
            "sealed_test_sessions_update", on: "test_sessions", "UPDATE test_sessions SET name = 'other' WHERE id = ?")
        #expect(
            try await differs(school, session, learner) == ["facts was changed", "part1_q2 record was changed"])
        try await without(
            "sealed_seals_update", on: "seals",
            "UPDATE seals SET manifest = replace(manifest, 'client', 'server') WHERE session = ?")
        #expect(try await differs(school, session, learner).contains("manifest does not have the seal's hash"))
        await school.server.stop()
    }

    /// Marks and findings may be added. If one is changed afterwards, the check reports it.
    @Test func aMarkThatWasChangedIsNamed() async throws {
        let school = try await School()
        let (session, learner) = try await school.sat(answers: 1)
        try await school.askForMarks(of: session, by: 1)
        let marker = UUID()
        let task = try #require(try await school.take(as: marker))
        #expect(try await school.save(School.sheet(5), of: task, as: marker).status == 201)
        _ = try await school.marked(session, learner)
        #expect(try await differs(school, session, learner) == [])
        let id = try #require(UUID(uuidString: session))
        try await school.server.services.store.service.write { connection in
            try connection.change("UPDATE test_sessions SET overall_band_score = 9 WHERE id = ?", [id])
            try connection.change(
                "UPDATE marking_places SET sheet = ? WHERE test_session_id = ?",
                [try JSONText(#"{"bands":{"fluency":9},"comments":[]}"#), id])
        }
        let found = try await differs(school, session, learner)
        #expect(found.count == 2 && found.allSatisfy { $0.hasSuffix("is not what was added") }, "\(found)")
        #expect(found[0].hasPrefix("place 1, entry ") && found[1].hasPrefix("bands, entry "), "\(found)")
        await school.server.stop()
    }
}
