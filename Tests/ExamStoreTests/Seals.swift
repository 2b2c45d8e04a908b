import ExamCore
import Foundation
import StoreTrials
import Testing

@testable import ExamStore

/// Seals of exams: their hashes, the moment of sealing, and the protection of what is sealed.
@Suite(.bothStores) struct Seals {
    private static let ids = (1...3).map { UUID(uuidString: "00000000-0000-4000-8000-00000000000\($0)")! }

    // MARK: - The manifest

    /// A third party verifies these numbers with any program that knows RFC 8785 and SHA-256; Python's were used.
    @Test(.store(only: .sqlite, because: "No database is asked.")) func theManifestHasTheHashThatIsDocumented() throws {
        let material = SealMaterial(
            session: Self.ids[0], held: .server,
            facts: .init(
                name: "home", format: "ielts-style", paper: "bridges", mode: "test", startedAt: "2026-11-21T09:12:29Z",
                completedAt: "2026-11-21T09:26:01Z", outcome: "completed"),
            answers: [
                .init(
                    id: Self.ids[2], record: #"{"question":"q2","part":1,"order":2,"attempt":1,"duration":2.5}"#,
                    recording: Sample.otherDigest, byteCount: 5_000, mediaType: "audio/ogg"),
                .init(
                    id: Self.ids[1],
                    record: #"{"attempt": 1, "question": "q1", "part": 1, "order": 1, "duration": 12.50}"#,
                    recording: Sample.digest, byteCount: 4_000, mediaType: "audio/ogg"),
            ], log: [#"{"at":0.000,"event":"begun"}"#, #"{"at":1.000,"event":"over"}"#], exam: Array("{}".utf8))
        let written = try material.manifest(sealedAt: "2026-11-21T09:27:00Z").written()
        #expect(written == Self.golden)
        #expect(
            SealManifest.hash(of: written) == "38b95de1f2765b6e8d0a181c94e11a0a6f9c8c6bc3c20517ea1b6560315f375b")
    }

    private static let golden =
        #"{"answers":[{"byteCount":4000,"id":"00000000-0000-4000-8000-000000000002","mediaType":"audio/ogg","name":"part"#
        + #"1_q1","record":"44a2c191d98ef5d5546b1cc35a02479c499e1c4038af9b8625594fc58c63b3ae","recording":"0f0f0f0f0f0f0f0"#
        + #"f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f"},{"byteCount":5000,"id":"00000000-0000-4000-8000-0000000000"#
        + #"03","mediaType":"audio/ogg","name":"part1_q2","record":"bdfc1152b912c28346aed4eeffd63a19bbde89b5613ec26ba8081b"#
        + #"d6f902fd1c","recording":"1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e"}],"exam":"44136fa35"#
        + #"5b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a","facts":"c792527821b8735c6d5f281e2c072616018fe39f360b"#
        + #"aa68d9757b9ebe6629c5","held":"server","log":{"lines":2,"sha256":"0ab50eb3aa9f05378a8c5cd174f7c9ad913b37ce8b2fd"#
        + #"488232ee88517a3e47a"},"rules":"oracy-seal/1","sealedAt":"2026-11-21T09:27:00Z","session":"00000000-0000-4000-8"#
        + #"000-000000000001"}"#

    // MARK: - When it is put

    private static func over(
        _ store: ExamDatabase, answers: Int = 2, announced: Int? = nil
    ) async throws -> (session: UUID, user: UUID, answers: [UUID]) {
        let user = UUID()
        let (session, ids) = try await store.hold(user, answers: answers)
        _ = try await store.owned(by: user).complete(session, Sample.completion(answers: announced ?? answers))
        return (session, user, ids)
    }

    @Test func concurrentSealersSealAnExamOnce() async throws {
        try await withStore(connections: 6) { store in
            let (session, user, _) = try await Self.over(store)
            let seals = try await withThrowingTaskGroup(of: ServiceStore.Sealing.self) { group in
                for _ in 0..<6 { group.addTask { try await store.service.seal(session, assessor: "none") } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let put = seals.compactMap { if case .sealed(let hash) = $0 { hash } else { nil } }
            let before = seals.compactMap { if case .sealedBefore(let hash) = $0 { hash } else { nil } }
            #expect(put.count == 1 && before == Array(repeating: put[0], count: 5))
            let stored = try #require(try await store.owned(by: user).seal(of: session))
            #expect(stored.hash == put[0] && stored.differences() == [])
            #expect(SealManifest.hash(of: stored.manifest) == put[0])
            let row = try #require(try await store.service.session(session))
            #expect(row.seal == put[0] && row.sealedAt == stored.sealedAt && row.held == .client)
            #expect(try await store.owned(by: UUID()).seal(of: session) == nil, "another user cannot see the seal")
            #expect(try await store.service.seal(UUID(), assessor: "none") == .noSuchSession)
        }
    }

    @Test func answersThatAreOnTheirWayAreWaitedForADay() async throws {
        try await withStore { store in
            let (session, user, _) = try await Self.over(store, answers: 1, announced: 2)
            let mine = store.owned(by: user)
            #expect(try await store.service.seal(session, assessor: "none") == .notYet)
            #expect(try await store.service.sessionsToSeal(limit: 9) == [])
            // Until then it may still be corrected, and markers don't get it.
            let recording = Sample.recording(session)
            _ = try await mine.put(recording)
            #expect(
                try await mine.put(Sample.response(recording, question: "p1-q2", order: 2)) == .created)
            // An upload that is under way is an answer on its way, too.
            let upload = Uploads.upload(session)
            #expect(try await mine.create(upload) == .created)
            #expect(try await store.service.seal(session, assessor: "none") == .notYet)
            #expect(try await mine.delete(upload: upload.id) != nil)
            #expect(try await store.service.sessionsToSeal(limit: 9) == [session])
            #expect(try await store.service.seal(session, assessor: "none") != .notYet)

            let (late, _, _) = try await Self.over(store, answers: 1, announced: 2)
            #expect(try await store.service.seal(late, assessor: "none") == .notYet)
            try await store.service.write {
                _ = try $0.change("UPDATE test_sessions SET closed_at = closed_at - 86401 WHERE id = ?", [late])
            }
            #expect(try await store.service.sessionsToSeal(limit: 9) == [late])
            #expect(try await store.service.seal(late, assessor: "none") != .notYet)
        }
    }

    /// A line of the log is stored only after the answers that it mentions. So the log's end shows that all answers are
    /// stored.
    @Test func aServersExamIsSealedWhenItsLogIsComplete() async throws {
        try await withStore { store in
            let user = UUID()
            let (mine, row) = (store.owned(by: user).heldHere, Sample.session())
            _ = try await mine.put(row)
            let recording = Sample.recording(row.id)
            #expect(try await mine.put(Sample.response(recording), recording: recording) == .created)
            try await store.service.append([#"{"event":"begun","phase":"testing"}"#], to: row.id, from: 1)
            _ = try await mine.complete(row.id, Sample.completion(answers: 1))
            #expect(try await store.service.seal(row.id, assessor: "none") == .notYet)
            try await store.service.append([#"{"event":"end","phase":"over completed"}"#], to: row.id, from: 2)
            #expect(try await store.service.seal(row.id, assessor: "none") != .notYet)
            let seal = try #require(try await mine.seal(of: row.id))
            let manifest = try JSONDecoder().decode(SealManifest.self, from: Data(seal.manifest.utf8))
            #expect(manifest.held == .server && manifest.log?.lines == 2 && manifest.answers.count == 1)
        }
    }

    // MARK: - Refused changes

    /// While the server holds an exam, and after that, its client's uploads cannot change it.
    @Test func aClientChangesNothingOfAnExamThatTheServerHolds() async throws {
        try await withStore { store in
            let user = UUID()
            let (server, client, row) = (store.owned(by: user).heldHere, store.owned(by: user), Sample.session())
            _ = try await server.put(row)
            let recording = Sample.recording(row.id)
            let response = Sample.response(recording)
            #expect(try await server.put(response, recording: recording) == .created)
            var (renamed, discarded) = (row, response)
            renamed.name = "an official test"
            discarded.record.end = "startedAgain"
            let other = Sample.recording(row.id)
            await expect(.heldHere) { _ = try await client.put(renamed) }
            await expect(.heldHere) { _ = try await client.put(other) }
            await expect(.heldHere) { _ = try await client.put(discarded) }
            await expect(.heldHere) { _ = try await client.complete(row.id, Sample.completion(answers: 1)) }
            // Sending stored content again changes nothing.
            #expect(try await client.put(row) == .same)
            #expect(try await client.put(recording) == .same)
            #expect(try await client.put(response) == .same)
        }
    }

    @Test func nothingOfASealedExamChanges() async throws {
        try await withStore { store in
            let (session, user, answers) = try await Self.over(store)
            let mine = store.owned(by: user)
            _ = try await store.service.seal(session, assessor: "none")
            let before = try #require(try await mine.seal(of: session))
            var row = try #require(try await mine.session(session))
            var response = try #require(try await mine.response(answers[0]))
            row.name = "another"
            response.record.end = "startedAgain"
            let recording = Sample.recording(session)
            for store in [mine, mine.heldHere] {
                await expect(.sealed) { _ = try await store.put(row) }
                await expect(.sealed) { _ = try await store.put(response) }
                await expect(.sealed) { _ = try await store.put(recording) }
                await expect(.sealed) { _ = try await store.complete(session, Sample.completion(answers: 2)) }
            }
            await expect(.sealed) { try await store.service.append(["late"], to: session, from: 1) }
            await expect(.sealed) { try await store.service.put("exam.json", [1], session: session) }
            #expect(try await mine.seal(of: session) == before)
            #expect(try await store.service.sealMaterial(of: session)?.answers.count == 2)
        }
    }

    /// In both databases, each of these changes to a sealed exam is refused, also from the server itself.
    @Test(arguments: [
        "UPDATE responses SET record = record WHERE test_session_id = ?",
        "UPDATE responses SET sha256 = 'x' WHERE test_session_id = ?",
        "DELETE FROM responses WHERE test_session_id = ?",
        "UPDATE recordings SET sha256 = 'x' WHERE test_session_id = ?",
        "DELETE FROM recordings WHERE test_session_id = ?",
        "UPDATE session_log SET line = 'x' WHERE test_session_id = ?",
        "DELETE FROM session_log WHERE test_session_id = ?",
        "DELETE FROM session_files WHERE test_session_id = ?",
        "UPDATE session_files SET name = 'x' WHERE test_session_id = ?",
        "UPDATE test_sessions SET name = 'x' WHERE id = ?", "UPDATE test_sessions SET seal = NULL WHERE id = ?",
        "UPDATE test_sessions SET held = 'server' WHERE id = ?", "DELETE FROM seals WHERE session = ?",
        "UPDATE seals SET hash = 'x' WHERE session = ?", "DELETE FROM seal_entries WHERE session = ?",
        "UPDATE seal_entries SET who = 'x' WHERE session = ?",
    ]) func theDatabaseItselfRefuses(_ statement: String) async throws {
        try await withStore { store in
            let (session, _, answers) = try await Self.over(store)
            try await store.service.append(["one"], to: session, from: 1)
            try await store.service.put("exam.json", [1], session: session)
            _ = try await store.service.seal(session, assessor: "none")
            try await store.service.keep(["a": 1], of: answers[0], by: "oracy:test")
            let before = try #require(try await store.service.seal(of: session))
            #expect(before.entries.count == 1)
            await expect(.sealed) { try await store.service.write { _ = try $0.change(statement, [session]) } }
            #expect(try await store.service.seal(of: session) == before)
        }
    }

    // MARK: - Additions

    @Test func addedEntriesFormAChain() async throws {
        try await withStore { store in
            let (session, user, answers) = try await Self.over(store)
            let service = store.service
            // The measurement was made before the seal, so it comes first in the record.
            try await service.keep(["pauses": 3], of: answers[0], by: "oracy:measure")
            _ = try await service.seal(session, assessor: "none")
            try await service.keep(["band": 6], of: answers[1], by: "said:llama:0")
            try await service.keep(["band": 6], of: answers[1], by: "said:llama:0")
            try await service.keep(["why": "away"], of: answers[1], by: "gap:llama")
            try await service.keep(["text": "typed"], of: answers[0], by: SealRules.learner)
            try await service.removeFinding(of: answers[0], by: SealRules.learner)
            let seal = try #require(try await service.seal(of: session))
            #expect(seal.entries.map(\.kind) == [.finding, .finding, .transcript, .transcript])
            #expect(seal.entries.map(\.item).first == "part1_q1 oracy:measure")
            #expect(seal.entries.map { $0.content != nil } == [true, true, true, false])
            #expect(seal.entries.allSatisfy { $0.evidence == Sample.digest })
            #expect(seal.entries[2].who == "learner" && seal.entries[0].previous == seal.hash)
            #expect(seal.differences() == [])
            var missing = seal
            missing.entries.remove(at: 1)
            #expect(missing.differences().map(\.item) == ["entry 2"])
            var changed = seal
            changed.entries[1].who = "another user"
            #expect(changed.differences().map(\.item) == ["entry 2"])
            var other = seal
            other.manifest += " "
            #expect(other.differences().map(\.item) == ["manifest"])

            // Erasing stays possible. It is the last entry.
            #expect(try await store.owned(by: user).erase(session: session))
            let erased = try #require(try await store.owned(by: user).seal(of: session))
            #expect(erased.isErased && erased.entries.last?.who == "owner" && erased.differences() == [])
            #expect(erased.hash == seal.hash && erased.manifest == seal.manifest)
            #expect(try await service.session(session) == nil)
            #expect(try await service.held(of: user) == ["erasures": 1, "seals": 1, "seal-entries": 5])
            // A seal is removed only when it is old.
            try await service.removeOldSeals()
            #expect(try await service.seal(of: session) != nil)
        }
    }

    /// A band from before the seal is computed again. A band from before seals existed stays, and says so.
    @Test func bandsNameTheSealThatTheyRestOn() async throws {
        try await withStore { store in
            let service = store.service
            let (session, user, _) = try await Self.over(store, answers: 1, announced: 2)
            let job = try #require(try await service.claim(worker: "w", seconds: 60))
            #expect(try await service.complete(job, StoredResult(overallBand: 6), by: "a/1"))
            #expect(try await service.session(session)?.evidence == nil)
            let recording = Sample.recording(session)
            _ = try await store.owned(by: user).put(recording)
            _ = try await store.owned(by: user).put(Sample.response(recording, question: "p1-q2", order: 2))
            _ = try await service.seal(session, assessor: "none")
            let seal = try #require(try await service.session(session)?.seal)
            let again = try #require(try await service.claim(worker: "w", seconds: 60))
            #expect(again.session == session)
            #expect(try await service.complete(again, StoredResult(overallBand: 5), by: "a/1", restingOn: seal))
            #expect(try await service.session(session)?.evidence == seal)
            let entries = try #require(try await service.seal(of: session)).entries
            #expect(entries.map(\.kind) == [.result, .result] && entries.allSatisfy { $0.who == "a/1" })
        }
    }

    @Test func examsFromBeforeThereWereSealsAreSealedAsTheyAre() async throws {
        let place = try await TestDatabase()
        let store = try place.open(connections: 1)
        try await store.database.migrate(Array(Migration.all.prefix { $0.number < 16 }), dialect: store.dialect)
        try await store.database.transaction(.write, as: .service) { connection in
            for statement in ReleasedRows.statements(at: 15) { try connection.change(statement) }
            try connection.change(
                "INSERT INTO session_files (test_session_id, name, bytes) VALUES (?, 'exam.json', ?)",
                [ReleasedRows.session, Array("{}".utf8)])
        }
        try await store.migrate()
        let before = try #require(try await store.service.session(ReleasedRows.session))
        #expect(before.held == .server && before.seal == nil && before.evidence == "older")
        #expect(try await store.service.sessionsToSeal(limit: 9) == [ReleasedRows.session])
        _ = try await store.service.seal(ReleasedRows.session, assessor: "none")
        let after = try #require(try await store.service.session(ReleasedRows.session))
        #expect(after.seal != nil && after.evidence == "older", "bands from before the seal are labelled as older")
        #expect(try await store.service.claim(worker: "w", seconds: 60) == nil, "no evaluation is queued")
        await store.close()
    }

    @Test(.store(only: .postgres, because: "SQLite has no row-level security."))
    func onlyItsReadersSeeASeal() async throws {
        try await withStore { store in
            let (session, user, answers) = try await Self.over(store)
            try await store.service.write {
                _ = try $0.change(
                    "INSERT INTO session_groups (test_session_id, group_name, user_id) VALUES (?, '7b', ?)",
                    [session, user])
            }
            _ = try await store.service.seal(session, assessor: "none")
            try await store.service.keep(["a": 1], of: answers[0], by: "oracy:test")
            func count(_ table: String, _ identity: Identity) async throws -> Int {
                try await store.database.transaction(.read, as: identity) {
                    try $0.first("SELECT count(*) AS count FROM \(table)")!.value("count")
                }
            }
            for table in ["seals", "seal_entries"] {
                #expect(try await count(table, .service) == 1)
                #expect(try await count(table, .user(user)) == 1)
                #expect(try await count(table, .reader(Reader(UUID(), .teacher(of: ["7b"])))) == 1)
                #expect(try await count(table, .reader(Reader(UUID(), .teacher(of: ["8c"])))) == 0)
                #expect(try await count(table, .reader(Reader(UUID(), .marker))) == 0)
                #expect(try await count(table, .user(UUID())) == 0)
            }
            // A learner's own transaction cannot seal an exam, and can add only the entry that the learner erased it.
            let (other, mine) = (UUID(), user)
            await expect(.refused) {
                try await store.database.transaction(.write, as: .user(mine)) {
                    _ = try $0.change(
                        "INSERT INTO seals (session, user_id, hash, manifest, sealed_at) VALUES (?, ?, 'h', 'm', {now})",
                        [other, mine])
                }
            }
            await expect(.refused) {
                try await store.database.transaction(.write, as: .user(mine)) {
                    _ = try $0.change(
                        """
                        INSERT INTO seal_entries (session, number, user_id, added_at, kind, who, item, evidence, previous, hash)
                        VALUES (?, 9, ?, {now}, 'marks', 'w', 'i', 'e', 'p', 'h')
                        """, [session, mine])
                }
            }
        }
    }
}
