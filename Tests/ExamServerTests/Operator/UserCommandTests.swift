import ExamStore
import Foundation
import HTTPClient
import Logging
import StoreTrials
import Testing
import Waiting

@testable import ExamNode
@testable import ExamServer
@testable import RecordingStores
@testable import ServerWork
@testable import VirtualDevices

/// `oracy-server export` and `erase` cover all data of one user, and no other data.
@Suite(.store(only: .sqlite, because: "The program is started with a folder alone; OptionMatrix starts it on both."))
struct UserCommandTests {
    @Test func allDataOfAUserIsExportedAndErasedWhileTheServerRuns() async throws {
        let (ann, ben) = (try await OperatedLearner(), try await OperatedLearner())
        try await withDen { den in
            try OperatedLearner.copyExam(to: den)
            let server = try OperatedServer(OperatedLearner.options(), in: den)
            let session = try ann.sit(server)
            try ann.practise(server)
            let other = try ben.sit(server)
            try ben.practise(server)
            #expect(try Self.isStored(session, of: ann.user, server))

            let data = ["--data", "FOLDER/data"]
            let exported = try operate(["export", ann.name, "--to", "FOLDER/ann"] + data, in: den)
            #expect(exported.code == 0, "\(exported)")
            let files = try den.files(in: "ann")
            #expect(files.values.allSatisfy { !$0.isShared })
            for kind in [
                "sessions", "answers", "recordings", "log", "files", "practice", "plans", "papers", "profile", "tasks",
            ] {
                #expect(files["records/\(kind).json"] != nil && exported.said.contains("\(kind): "), "\(kind)")
            }
            let answers = try Self.rows(files["records/answers.json"]?.bytes)
            let sound = files.keys.filter { $0.hasPrefix("audio/\(session)/") && $0.hasSuffix(".opus") }
            #expect(!answers.isEmpty && sound.count == answers.count, "\(files.keys.sorted())")
            #expect((answers[0]["record"] as? [String: Any])?["question"] is String, "JSON stands as JSON")
            #expect(files["sessions/\(session)/exam.json"] != nil)
            #expect(files.keys.contains { $0.hasPrefix("audio/profile/picture-") })
            let everything = files.filter { !$0.key.hasPrefix("audio/") }.values.map {
                String(decoding: $0.bytes, as: UTF8.self)
            }
            .joined()
            #expect(everything.contains("Ann Lee") && !everything.contains(ben.name) && !everything.contains(other))
            #expect(!everything.contains("live_token_hash"))
            #expect(try operate(["export", ann.name, "--to", "FOLDER/ann"] + data, in: den).code == 73)

            // It asks for confirmation, which it can't get here.
            let asked = try operate(["erase", ann.name] + data, in: den)
            #expect(asked.code == 77 && asked.said.contains("sessions: 1"), "\(asked)")
            let erased = try operate(["erase", ann.name, "--yes", "--report", "FOLDER/report.json"] + data, in: den)
            #expect(erased.code == 0, "\(erased)")
            let report = try #require(
                try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: den.folder + "/report.json")))
                    as? [String: Any])
            #expect((report["deleted"] as? [String: Int])?["answers"] == answers.count, "\(report)")
            #expect(report["audioFiles"] as? Int == sound.count + 1 && (report["failed"] as? [String]) == [])
            #expect(erased.said.contains("looked at the storage of recordings: 0 objects"))
            #expect(erased.said.contains("kept erasures: 1 (ids of erased sessions"))
            let left = try den.files(in: "data/audio").keys
            #expect(!left.contains { $0.hasPrefix(ann.name) } && left.contains { $0.hasPrefix(ben.name) })
            #expect(try fetch(server.address(), "GET", "/v1/sessions/\(session)", as: ann.user).status == 404)
            #expect(try fetch(server.address(), "GET", "/v1/profile", as: ann.user).object["username"] == nil)
            #expect(try fetch(server.address(), "GET", "/v1/sessions/\(other)", as: ben.user).status == 200)
            #expect(try server.stop() == 0)
            let unknown = try operate(["export", UUID().uuidString, "--to", "FOLDER/unknown"] + data, in: den)
            #expect(unknown.code == 66 && unknown.message.contains("nothing is stored of "), "\(unknown)")
            #expect(try operate(["erase", "ann"] + data, in: den).code == 64)
        }
    }

    /// The commands don't create a missing backend.
    @Test(arguments: [["export"], ["erase", "--yes"]])
    func aFolderThatNoServerUsedIsNamed(_ command: [String]) async throws {
        try await withDen { den in
            let said = try operate(
                [command[0], UUID().uuidString] + command.dropFirst() + ["--data", "FOLDER/none"], in: den)
            #expect(said.code == 66 && said.message.contains("no server's data found there"), "\(said)")
            #expect(!FileManager.default.fileExists(atPath: den.folder + "/none"))
        }
    }

    /// The commands ignore options of the server in a file that they share with it.
    @Test func theServersOptionFileIsAccepted() async throws {
        let ann = try await OperatedLearner()
        try await withDen { den in
            try den.write(
                Data("token-secret = \(den.folder)/secret\nport = 0\ndata = \(den.folder)/data\nworkers = 0\n".utf8),
                to: "oracy.conf")
            let server = try OperatedServer(["--config", "FOLDER/oracy.conf"], in: den)
            try ann.practise(server)
            #expect(try server.stop() == 0)
            let exported = try operate(
                ["export", ann.name, "--to", "FOLDER/ann", "--config", "FOLDER/oracy.conf"], in: den)
            #expect(exported.code == 0 && exported.said.contains("profile: 1"), "\(exported)")
        }
    }

    private static func rows(_ data: Data?) throws -> [[String: Any]] {
        let data = try #require(data)
        return try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
    }

    /// Waits until a session is stored with all of its answers.
    ///
    /// - Returns: Whether it was in time.
    static func isStored(_ session: String, of user: UUID, _ server: OperatedServer) throws -> Bool {
        let url = try server.address()
        return Patience.poll {
            let row = try? fetch(url, "GET", "/v1/sessions/\(session)", as: user).object
            return row?["status"] as? String != "in_progress" && row?["status"] != nil ? true : nil
        } ?? false
    }

    /// If the storage is away, rows are erased, the rest is reported, and a server or another attempt removes it later.
    @Test(.bothStores) func remainsOfAnErasureAreReportedAndErasedLater() async throws {
        let folder = NSTemporaryDirectory() + "oracy-erase-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = try await TestDatabase.of(folder: folder).open()
        let audio = try FolderAudioStore(path: folder + "/audio")
        let ann = UUID()
        let owned = store.owned(by: ann)
        let session = TestSession(id: UUID(), name: "s", format: "f", paper: "p", startedAt: "2026-11-25T10:00:00Z")
        _ = try await owned.put(session)
        try await owned.put(Profile(username: "ann", fullName: nil))
        try await owned.put(picture: AudioKey(picture: String(repeating: "0", count: 64), .png, of: ann).text)
        func erase(_ audio: any AudioStore) async throws -> UserErasure.Report {
            let services = Services(
                settings: ServerSettings(folder: folder), store: store, audio: audio,
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            return try await UserErasure(services, ownsFolder: false).erase(ann)
        }
        let away = try await erase(AudioThatIsAway())
        #expect(away.deleted == ["sessions": 1] && away.audioFiles == 0)
        #expect(
            away.failed.count == 3 && away.failed.contains { $0.contains("the disk is not available") },
            "\(away.failed)")
        #expect(try await store.service.held(of: ann) == ["profile": 1, "erasures": 1])
        let later = try await erase(audio)
        #expect(later.deleted == ["profile": 1] && later.failed == [] && later.kept.map(\.kind) == ["erasures"])
        await store.close()
    }

    @Test func storageThatIsTriedOutKeepsNothing() async throws {
        let folder = NSTemporaryDirectory() + "oracy-tried-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let audio = try FolderAudioStore(path: folder)
        try await audio.tryOut(in: NSTemporaryDirectory())
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [".parts"])
        await #expect(throws: AudioStoreError.self) { try await AudioThatIsAway().tryOut(in: NSTemporaryDirectory()) }
    }
}

private struct AudioThatIsAway: AudioStore {
    private static let away = AudioStoreError(.unavailable, "the disk is not available")

    func put(_ path: String, as key: AudioKey, sha256: String, mediaType: String) async throws(AudioStoreError) {
        throw Self.away
    }
    func read(
        _ key: AudioKey, range: Range<Int>?
    ) async throws(AudioStoreError) -> AsyncThrowingStream<[UInt8], any Error> { throw Self.away }
    func size(of key: AudioKey) async throws(AudioStoreError) -> Int? { throw Self.away }
    func delete(_ key: AudioKey) async throws(AudioStoreError) { throw Self.away }
    func keys(of user: UUID) async throws(AudioStoreError) -> [AudioKey] { throw Self.away }
    func keys(of session: UUID, user: UUID) async throws(AudioStoreError) -> [AudioKey] { throw Self.away }
    func uploadURL(for key: AudioKey, mediaType: String, seconds: Int) -> String? { nil }
    func ping() async throws(AudioStoreError) { throw Self.away }
}
