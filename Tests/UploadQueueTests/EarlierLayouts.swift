import ExamCore
import Foundation
import GRDB
import SystemSupport
import Testing

@testable import UploadQueue

/// A queue that an earlier version of the program filled.
@Suite struct EarlierLayouts {
    let folder = FileManager.default.temporaryDirectory.appending(path: "oracy-layouts-\(UUID().uuidString)").path

    @Test func uploadsOfLayoutOneAreKept() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let facts = SessionFacts(
            id: UUID(), name: "2026-11-21-0912", format: "ielts-style", paper: "bridges",
            startedAt: "2026-11-21T09:12:29Z")
        let answer = UUID()
        try write(facts, answer: answer)

        let entries = try DeliveryQueue(folder: folder).entries()
        #expect(entries.map(\.state) == [.delivered, .parked, .dropped])
        let upload = try #require(entries[1].upload)
        #expect(upload.id == answer && upload.session == facts)
        guard case .answer(let record, let file) = upload.content else {
            Issue.record("the answer became something else")
            return
        }
        let expected = AnswerRecord(
            question: "home-1", part: 1, order: 3, attempt: 2, end: "timeUp.part", duration: Seconds(.seconds(12.346)),
            speech: Seconds(.seconds(9.5)))
        #expect(record == expected)
        #expect(file.path == "/takes/part1_q3_a2.opus" && file.byteCount == 4_711 && file.sha256 == "0f")
        // Again, in the present layout.
        #expect(try DeliveryQueue(folder: folder).entries() == entries)
    }

    /// Layout 3 has the tables of layout 2, and one more kind of upload.
    @Test func uploadsOfLayoutTwoAreKept() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try PrivateFile.createFolder(folder + "/takes")
        let session = try FakeSession("s", answers: 2, in: folder + "/takes")
        do { try DeliveryQueue(folder: folder + "/queue").add(session.uploads) }
        let database = try DatabaseQueue(path: folder + "/queue/journal.sqlite")
        try await database.write { try $0.execute(sql: "PRAGMA user_version=2") }
        try database.close()
        let queue = try DeliveryQueue(folder: folder + "/queue")
        #expect(queue.recovery == nil)
        #expect(try queue.entries().compactMap(\.upload) == session.uploads)
        try queue.add([Upload(submitting: "{}", of: UUID())])
        #expect(try DeliveryQueue(folder: folder + "/queue").entries().last?.upload?.content == .submission("{}"))
    }

    @Test func aDamagedLineOfLayoutOneIsNotBelieved() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let facts = SessionFacts(id: UUID(), name: "s", format: "f", paper: "p", startedAt: "2026-11-21T09:12:29Z")
        try write(facts, answer: UUID(), damaged: true)
        // The journal is kept for inspection, and everything that is still in sessions is queued again.
        #expect(try DeliveryQueue(folder: folder).entries().isEmpty)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(names.contains { $0.hasPrefix("journal.") && $0.hasSuffix("1.sqlite") }, "\(names)")
    }

    /// Writes a delivered session, a parked answer and a dropped completion.
    private func write(_ session: SessionFacts, answer: UUID, damaged: Bool = false) throws {
        try PrivateFile.createFolder(folder)
        let database = try DatabaseQueue(path: folder + "/journal.sqlite")
        try database.write { database in
            try database.execute(sql: Self.tables + "; PRAGMA user_version=1")
            let values = Journal.values(of: session)
            try database.execute(
                sql: "INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, ?)",
                arguments: StatementArguments([session.number.databaseValue] + values))
            let facts: [[(any DatabaseValueConvertible)?]] = [
                [UUID().uuidString, 0] + [nil, nil, nil, nil, nil, nil, nil] + [nil, 0, nil, nil, false] + [
                    nil, nil, nil,
                ],
                [
                    answer.uuidString, 1, "home-1", 1, 3, 2, "timeUp.part", 12.3456, 9.5, "/takes/part1_q3_a2.opus",
                    4_711,
                ]
                    + ["0f", "audio/ogg", false, nil, nil, nil],
                [UUID().uuidString, 2] + [nil, nil, nil, nil, nil, nil, nil] + [nil, 0, nil, nil, false]
                    + ["2026-11-21T09:26:02Z", "completed", 1],
            ]
            for (line, state) in zip(facts, ["delivered", "parked", "dropped"]) {
                var values = line.map { $0?.databaseValue ?? .null }
                values.append(Checksum.value(over: values, of: session.number).databaseValue)
                if damaged { values[2] = "home-2".databaseValue }
                values += [session.number.databaseValue, false.databaseValue, "2026-11-21T09:13:00Z".databaseValue]
                values.append(state.databaseValue)
                try database.execute(
                    sql: """
                        INSERT INTO upload (id, stage, question, part, place, attempt, ending, duration, speech, path, bytes,
                          sha256, media, goes, completed, outcome, answers, proof, session, leftover, added, state)
                        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                        """, arguments: StatementArguments(values))
            }
        }
        try database.close()
    }

    private static let tables = """
        CREATE TABLE session (
          number INTEGER PRIMARY KEY,
          id TEXT NOT NULL UNIQUE,
          name TEXT NOT NULL,
          format TEXT NOT NULL,
          paper TEXT NOT NULL,
          started TEXT NOT NULL,
          proof INTEGER NOT NULL
        );
        CREATE TABLE upload (
          number INTEGER PRIMARY KEY AUTOINCREMENT,
          id TEXT NOT NULL UNIQUE,
          session INTEGER NOT NULL,
          stage INTEGER NOT NULL,
          question TEXT,
          part INTEGER,
          place INTEGER,
          attempt INTEGER,
          ending TEXT,
          duration REAL,
          speech REAL,
          path TEXT,
          bytes INTEGER NOT NULL,
          sha256 TEXT,
          media TEXT,
          goes INTEGER NOT NULL,
          completed TEXT,
          outcome TEXT,
          answers INTEGER,
          proof INTEGER NOT NULL,
          leftover INTEGER NOT NULL,
          added TEXT NOT NULL,
          state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sending', 'delivered', 'parked', 'dropped')),
          attempts INTEGER NOT NULL DEFAULT 0,
          due INTEGER,
          troubled INTEGER,
          boot TEXT,
          kind TEXT,
          code TEXT,
          words TEXT,
          note TEXT,
          ended TEXT
        );
        CREATE INDEX upload_by_session ON upload (session, stage, number);
        CREATE INDEX upload_open ON upload (number) WHERE state IN ('waiting', 'sending', 'parked');
        CREATE INDEX upload_leftover ON upload (number) WHERE leftover
        """
}
