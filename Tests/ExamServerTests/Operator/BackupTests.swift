import ExamCore
import ExamStore
import Foundation
import HTTPClient
import StoreTrials
import Synchronization
import SystemSupport
import Testing

@testable import ExamServer
@testable import RecordingStores
@testable import ServerWork
@testable import VirtualDevices

/// `oracy-server backup` and `restore`: restoring a backup brings back everything that was stored, and an incomplete
/// backup is refused.
@Suite(.store(only: .sqlite, because: "A backup without pg_dump is a copy of SQLite's file.")) struct BackupTests {
    /// Returns the answers of a session as its results list them: their ids and the paths of their recordings. Their
    /// measures are left out, since they may come later.
    private static func answers(of session: String, of user: UUID, at url: String) throws -> [[String]] {
        let results = try fetch(url, "GET", "/v1/sessions/\(session)/results", as: user).object
        let answers = try #require(results["answers"] as? [[String: Any]])
        return try answers.map { answer in
            try ["id", "recording"].map { field in try #require(answer[field] as? String, "\(answer)") }
        }
    }

    @Test func aRunningServerIsBackedUpAndRestored() async throws {
        let ann = try await OperatedLearner()
        try await withDen { den in
            try OperatedLearner.copyExam(to: den)
            let server = try OperatedServer(OperatedLearner.options(), in: den)
            let session = try ann.sit(server)
            try ann.practise(server)
            #expect(try UserCommandTests.isStored(session, of: ann.user, server))
            // An exam that has not begun can begin on the restored server.
            let open = try ann.make(server)
            let url = try server.address()
            let answers = try Self.answers(of: session, of: ann.user, at: url)
            let plan = try fetch(url, "GET", "/v1/practice/export", as: ann.user).text

            let backedUp = try operate(["backup", "FOLDER/backup", "--data", "FOLDER/data"], in: den)
            #expect(backedUp.code == 0 && backedUp.said.hasPrefix("2 sessions, "), "\(backedUp)")
            let backup = try den.files(in: "backup")
            #expect(backup.values.allSatisfy { !$0.isShared } && backup["manifest.json"] != nil)
            #expect(Set(backup.keys.filter { $0.contains("sqlite") }) == ["oracy.sqlite"])
            #expect(try operate(["backup", "FOLDER/backup", "--data", "FOLDER/data"], in: den).code == 73)
            // The backup lacks a session that is made after it.
            let later = try ann.make(server)
            #expect(try operate(["restore", "FOLDER/backup", "--data", "FOLDER/data"], in: den).code == 73)
            server.kill()

            let restored = try operate(["restore", "FOLDER/backup", "--data", "FOLDER/again"], in: den)
            #expect(restored.code == 0 && restored.said.contains("compared"), "\(restored)")
            #expect(try den.files(in: "again").values.allSatisfy { !$0.isShared })
            let second = try OperatedServer(OperatedLearner.options("FOLDER/again"), in: den, name: "second")
            let address = try second.address()
            #expect(try Self.answers(of: session, of: ann.user, at: address) == answers && !answers.isEmpty)
            #expect(try fetch(address, "GET", "/v1/practice/export", as: ann.user).text == plan)
            let first = try #require(backup.keys.first { $0.contains("/\(session)/") }?.split(separator: "/").last)
            let answer = first.split(separator: ".")[0]
            let sound = try fetch(address, "GET", "/v1/sessions/\(session)/answers/\(answer)/recording", as: ann.user)
            #expect(sound.status == 200 && Data(sound.body) == backup["audio/\(ann.name)/\(session)/\(first)"]?.bytes)
            #expect(
                try fetch(address, "GET", "/v1/sessions/\(later.session.uuidString.lowercased())", as: ann.user).status
                    == 404)
            let client = try ReplayClient(
                .init(session: open.session, token: open.token, prepared: ann.sitting), ann.scenario,
                port: second.port())
            try client.sit()
            #expect(client.outcome == "completed")
            #expect(try second.stop() == 0)
        }
    }

    /// A backup that is truncated or changed is refused, and no part of it is restored.
    @Test func anIncompleteBackupIsRefusedInOneSentence() async throws {
        let ann = try await OperatedLearner()
        try await withDen { den in
            try OperatedLearner.copyExam(to: den)
            let server = try OperatedServer(OperatedLearner.options(), in: den)
            let session = try ann.sit(server)
            #expect(try UserCommandTests.isStored(session, of: ann.user, server))
            #expect(try operate(["backup", "FOLDER/backup", "--data", "FOLDER/data"], in: den).code == 0)
            #expect(try server.stop() == 0)
            let files = try den.files(in: "backup")
            let sound = try #require(files.keys.first { $0.hasPrefix("audio/") })
            func restore(_ change: (String) throws -> Void) throws -> (code: Int32, said: String, message: String) {
                let folder = "\(den.folder)/changed-\(UUID().uuidString.prefix(6))"
                try FileManager.default.copyItem(atPath: "\(den.folder)/backup", toPath: folder)
                try change(folder)
                return try operate(["restore", folder, "--data", "FOLDER/again"], in: den)
            }
            func flip(_ path: String) throws {
                var bytes = try Data(contentsOf: URL(filePath: path))
                bytes[bytes.count / 2] ^= 1
                try bytes.write(to: URL(filePath: path))
            }
            let changes: [(String, (String) throws -> Void)] = [
                ("which is written last", { try FileManager.default.removeItem(atPath: $0 + "/manifest.json") }),
                ("is missing from the backup", { try FileManager.default.removeItem(atPath: "\($0)/\(sound)") }),
                ("is not what was backed up", { try flip("\($0)/\(sound)") }),
                ("is not what was backed up", { try flip($0 + "/oracy.sqlite") }),
                (
                    "is not what was backed up",
                    { folder in
                        let file = try #require(FileHandle(forWritingAtPath: folder + "/oracy.sqlite"))
                        try file.truncate(atOffset: 4096)
                    }
                ),
                (
                    "does not name oracy.sqlite",
                    { folder in
                        try FileManager.default.removeItem(atPath: folder + "/oracy.sqlite")
                        try Self.change(folder) { $0.files.removeAll { $0.path == "oracy.sqlite" } }
                    }
                ),
                ("was added to the backup", { try Data([1]).write(to: URL(filePath: "\($0)/\(sound)2")) }),
                (
                    "is not the manifest",
                    {
                        try Data(files["manifest.json"]!.bytes.dropLast(9)).write(
                            to: URL(filePath: $0 + "/manifest.json"))
                    }
                ),
                (
                    "which its database names",
                    { folder in
                        // Pretend that an attacker removed a recording, and its line in the manifest.
                        try FileManager.default.removeItem(atPath: "\(folder)/\(sound)")
                        try Self.change(folder) { $0.files.removeAll { $0.path == sound } }
                    }
                ),
            ]
            for (words, change) in changes {
                let refused = try restore(change)
                #expect(refused.code == 65 && refused.message.contains(words), "\(words): \(refused)")
                #expect(!refused.message.contains("\n") && refused.message.hasPrefix("oracy-server: "))
                #expect(!FileManager.default.fileExists(atPath: den.folder + "/again/oracy.sqlite"))
                try? FileManager.default.removeItem(atPath: den.folder + "/again")
            }
            #expect(try operate(["restore", "FOLDER/nowhere", "--data", "FOLDER/again"], in: den).code == 66)
            #expect(try restore { _ in }.code == 0)
        }
    }

    private static func change(_ folder: String, _ body: (inout BackupManifest) -> Void) throws {
        let path = URL(filePath: folder + "/manifest.json")
        var manifest = try JSONDecoder().decode(BackupManifest.self, from: Data(contentsOf: path))
        body(&manifest)
        try JSONEncoder().encode(manifest).write(to: path)
    }

    /// Recordings without rows are of no use: nothing says whose they are.
    @Test(arguments: [BackupManifest.Database.sqlite, .postgresql])
    func aBackupWithoutRowsIsRefused(_ database: BackupManifest.Database) throws {
        let folder = NSTemporaryDirectory() + "oracy-backup-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let manifest = BackupManifest(database: database, step: 1, sessions: 0, files: [], missing: [])
        try manifest.write(to: folder)
        let problem = #expect(throws: Problem.self) { try Restoring(of: folder, knownSteps: 99) }
        #expect(problem?.kind == .malformed)
        #expect(problem?.sentence.contains(database == .sqlite ? "oracy.sqlite" : "oracy.dump") == true)
        if database == .postgresql {
            try Data("rows".utf8).write(to: URL(filePath: folder + "/oracy.dump"))
            #expect(try Restoring(of: folder, knownSteps: 99).manifest.database == .postgresql)
        }
    }

    /// If erased rows were in the backup, it would bring back users who had their data erased, without their
    /// recordings.
    @Test func dataErasedDuringABackupIsNotInIt() async throws {
        let folder = NSTemporaryDirectory() + "oracy-backup-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = try ExamDatabase.sqlite(path: folder + "/data/oracy.sqlite")
        try await store.migrate()
        let audio = try FolderAudioStore(path: folder + "/data/audio")
        let (ann, ben) = (UUID(), UUID())
        let kept = try await Self.keepAnAnswer(of: ann, in: store, audio, folder)
        let erased = try await Self.keepAnAnswer(of: ben, in: store, audio, folder)
        let meddled = MeddledAudio(audio: audio) {
            _ = try? await store.owned(by: ben).erase(session: erased)
            try? await audio.removeAll(of: erased, user: ben)
        }
        let manifest = try await Backup(of: store, meddled, isSQLite: true).write(to: folder + "/backup")
        await store.close()
        #expect(manifest.sessions == 1 && manifest.missing == [] && manifest.files.count == 2)
        try Restoring.requireEmpty(folder + "/again")
        let again = try FolderAudioStore(path: folder + "/again/audio")
        try await Restoring(of: folder + "/backup", knownSteps: ExamDatabase.knownSteps).write(
            to: again, database: folder + "/again/oracy.sqlite")
        let restored = try ExamDatabase.sqlite(path: folder + "/again/oracy.sqlite")
        #expect(try await restored.owned(by: ann).responses(of: kept).count == 1)
        #expect(try await restored.owned(by: ben).session(erased) == nil)
        #expect(try await again.keys(of: kept, user: ann).count == 1)
        #expect(try await again.keys(of: erased, user: ben) == [])
        await restored.close()
    }

    private static func keepAnAnswer(
        of user: UUID, in store: ExamDatabase, _ audio: any AudioStore, _ folder: String
    ) async throws -> UUID {
        let (session, answer) = (UUID(), UUID())
        let path = "\(folder)/\(answer.uuidString)"
        try Data(answer.uuidString.utf8).write(to: URL(filePath: path))
        let file = try PrivateFile.digest(path)
        let owned = store.owned(by: user)
        _ = try await owned.put(
            TestSession(id: session, name: "s", format: "f", paper: "p", startedAt: "2026-11-25T10:00:00Z"))
        let key = AudioKey(recording: answer, of: session, user: user, sha256: file.sha256)
        try await audio.put(path, as: key, sha256: file.sha256, mediaType: "audio/ogg")
        let record = AnswerRecord(
            question: "q", part: 1, order: 1, attempt: 1, end: "finished", duration: Seconds(.seconds(1)),
            speech: Seconds(.seconds(1)))
        _ = try await owned.put(
            TestResponse(
                id: answer, session: session, record: record, path: key.text, byteCount: file.byteCount,
                sha256: file.sha256, mediaType: "audio/ogg"),
            recording: Recording(
                id: answer, session: session, key: key.text, byteCount: file.byteCount, sha256: file.sha256,
                mediaType: "audio/ogg"))
        return session
    }
}

/// A store of recordings that runs an action before it lists a session's recordings for the first time.
private final class MeddledAudio: AudioStore {
    private let audio: any AudioStore
    private let meddle: @Sendable () async -> Void
    private let isDone = Atomic(false)

    init(audio: any AudioStore, meddle: @escaping @Sendable () async -> Void) {
        (self.audio, self.meddle) = (audio, meddle)
    }

    func keys(of user: UUID) async throws(AudioStoreError) -> [AudioKey] { try await audio.keys(of: user) }

    func keys(of session: UUID, user: UUID) async throws(AudioStoreError) -> [AudioKey] {
        if !isDone.exchange(true, ordering: .relaxed) { await meddle() }
        return try await audio.keys(of: session, user: user)
    }

    func put(_ path: String, as key: AudioKey, sha256: String, mediaType: String) async throws(AudioStoreError) {
        try await audio.put(path, as: key, sha256: sha256, mediaType: mediaType)
    }
    func read(
        _ key: AudioKey, range: Range<Int>?
    ) async throws(AudioStoreError) -> AsyncThrowingStream<[UInt8], any Error> {
        try await audio.read(key, range: range)
    }
    func size(of key: AudioKey) async throws(AudioStoreError) -> Int? { try await audio.size(of: key) }
    func delete(_ key: AudioKey) async throws(AudioStoreError) { try await audio.delete(key) }
    func uploadURL(for key: AudioKey, mediaType: String, seconds: Int) -> String? { nil }
    func ping() async throws(AudioStoreError) { try await audio.ping() }
}
