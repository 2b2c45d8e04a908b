import Foundation
import StoreTrials
import TestSupport
import Testing

@testable import ExamStore

/// The real server is killed between the end of an exam and its seal, and started again.
@Suite(.bothStores) struct KilledBeforeTheSeal {
    /// Makes the database refuse new seals, so that the server stops at this step.
    private static func refuseSeals(in store: ExamDatabase) async throws {
        let refusal =
            store.dialect == .postgres
            ? [
                "CREATE FUNCTION no_seal_yet() RETURNS trigger LANGUAGE plpgsql AS "
                    + "'BEGIN RAISE EXCEPTION ''not yet''; END'",
                "CREATE TRIGGER no_seal_yet BEFORE INSERT ON seals FOR EACH ROW EXECUTE FUNCTION no_seal_yet()",
            ]
            : ["CREATE TRIGGER no_seal_yet BEFORE INSERT ON seals BEGIN SELECT RAISE(ABORT, 'not yet'); END"]
        try await store.service.write { connection in
            for statement in refusal { _ = try connection.change(statement) }
        }
    }

    @Test func theExamIsSealedOnceWithEveryAnswer() async throws {
        try await withOptionTrial { trial in
            let killed = try await trial.start()
            let store = try trial.openStore()
            try await Self.refuseSeals(in: store)
            let session = try await trial.sit(killed)
            let id = try #require(UUID(uuidString: session))
            try await eventually("the server tried to seal the finished exam") {
                killed.lines.contains { $0.contains(" warning seal ") && $0.contains(session) }
            }
            let row = try #require(try await store.service.session(id))
            #expect(row.completedAt != nil && row.seal == nil)
            try await onThread { killed.kill() }
            let stored = try await store.owned(by: trial.learner.user).responses(of: id)
            #expect(!stored.isEmpty && stored.count == row.announcedResponses)
            try await store.service.write { connection in
                _ = try connection.change(
                    "DROP TRIGGER no_seal_yet\(store.dialect == .postgres ? " ON seals" : "")")
            }
            // Two minutes pass for the job that the killed worker had.
            try await expireLeases(store)
            try await store.service.write { _ = try $0.change("UPDATE processing_queue SET due = 0") }

            let server = try await trial.start()
            try await eventually("it is sealed: \(server.log.suffix(2_000))") {
                try await store.service.session(id)?.seal != nil
            }
            let seal = try #require(try await store.service.seal(of: id))
            let manifest = try JSONDecoder().decode(SealManifest.self, from: Data(seal.manifest.utf8))
            #expect(manifest.held == .server)
            #expect(
                Dictionary(uniqueKeysWithValues: manifest.answers.map { ($0.id, $0.recording) })
                    == Dictionary(uniqueKeysWithValues: stored.map { ($0.id.uuidString.lowercased(), $0.sha256) }))
            // Another look finds nothing left to seal.
            #expect(try await store.service.seal(id, assessor: nil) == .sealedBefore(seal.hash))
            let report = try await trial.told(server, "/v1/sessions/\(session)/seal")
            #expect(report["state"] as? String == "sealed" && report["recordings"] as? Int == stored.count, "\(report)")
            _ = try await trial.results(of: session, server)
            let seals: Int? = try await store.service.read { connection in
                try connection.first("SELECT COUNT(*) AS count FROM seals WHERE session = ?", [id])?.value("count")
            }
            #expect(seals == 1)
            #expect(try await store.service.seal(of: id)?.manifest == seal.manifest)
            await store.close()
            try await trial.stop(server)
        }
    }
}
