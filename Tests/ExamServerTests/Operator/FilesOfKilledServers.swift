import BackendAPI
import Foundation
import HTTPClient
import Logging
import StoreTrials
import Synchronization
import SystemSupport
import TestSupport
import Testing

@testable import ExamNode
@testable import ExamServer
@testable import ExamStore
@testable import RecordingStores
@testable import ServerWork

/// Kills a server again and again under uploads and evaluations. In the end, each file on its disk has an owner.
@Suite(.store(only: .sqlite, because: "The files are looked at; the rows are those of the folder's own database."))
struct FilesOfKilledServers {
    private static let kills = Thoroughness.count(3, check: 25)

    @Test func everyFileHasAnOwner() async throws {
        let user = UUID()
        let folder = NSTemporaryDirectory() + "oracy-killed-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await withDen { den in
            for round in 0...Self.kills {
                let server = try OperatedServer(
                    [
                        "--port", "0", "--token-secret", "FOLDER/secret", "--data", folder, "--requests-per-minute",
                        "1000000", "--exams-per-day", "1000000",
                    ], in: den, name: "server-\(round)")
                let url = try server.address()
                let acknowledged = Mutex(0)
                DispatchQueue.concurrentPerform(iterations: 4) { _ in
                    // The last server is left alone.
                    for _ in 0..<8 where server.isRunning {
                        guard (try? Self.upload(url, user)) != nil else { return }
                        let count = acknowledged.withLock { count in
                            count += 1
                            return count
                        }
                        if round < Self.kills, count == 4 + round % 7 { server.kill() }
                    }
                }
                if server.isRunning { try server.stop() }
            }
        }
        let store = try ExamDatabase.sqlite(path: folder + "/oracy.sqlite")
        let audio = try FolderAudioStore(path: folder + "/audio")
        let services = Services(
            settings: ServerSettings(folder: folder), store: store, audio: audio,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        // The uploads in progress have expired.
        try await store.service.write {
            _ = try $0.change("UPDATE resumable_uploads SET expires_at = '2020-01-01T00:00:00Z'")
        }
        ScratchFiles(settings: services.settings).removeAll()
        await Sweeper(services: services).sweep()
        let named = Set(try await store.service.recordingKeys().keys)
        let there = Set(try await audio.keys(of: user).map(\.text))
        #expect(!named.isEmpty && there == named, "\(there.subtracting(named).count) files without a row")
        #expect(ScratchFiles(settings: services.settings).paths.isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/audio/.parts").isEmpty)
        print("killed \(Self.kills) times: \(named.count) recordings, 0 files without a row")
        let report = try await UserErasure(services, ownsFolder: true).erase(user)
        #expect(report.failed.isEmpty, "\(report.failed)")
        #expect(report.looked.contains("the storage of recordings: 0 objects"), "\(report.looked)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/audio") == [".parts"])
        await store.close()
    }

    /// An exam of one answer, and its end.
    private static func upload(_ url: String, _ user: UUID) throws {
        let (session, answer) = (UUID(), UUID())
        let bytes = Array("OggS".utf8) + (0..<20_000).map { _ in UInt8.random(in: 0...255) }
        let digest = SHA256.hexadecimal(of: bytes)
        let row: [String: Any] = [
            "id": session.uuidString, "name": "held", "format": "ielts-style", "paper": "bridges",
            "startedAt": "2026-11-22T10:00:00Z",
        ]
        func put(
            _ path: String, _ json: [String: Any]? = nil, headers: [(String, String)] = [], bytes: [UInt8]? = nil
        ) throws {
            let text = try json.map { String(decoding: try JSONSerialization.data(withJSONObject: $0), as: UTF8.self) }
            let answer = try fetch(url, "PUT", path, json: text, bytes: bytes, as: user, headers: headers)
            guard (200..<300).contains(answer.status) else { throw CocoaError(.fileWriteUnknown) }
        }
        try put("/v1/sessions/\(session)", row)
        try put(
            "/v1/sessions/\(session)/answers/\(answer)/recording",
            headers: [("Content-Type", "audio/ogg"), ("Repr-Digest", ReprDigest(sha256: digest)!.field)], bytes: bytes)
        let end: [String: Any] = [
            "id": UUID().uuidString, "session": session.uuidString, "completedAt": "2026-11-22T10:10:00Z",
            "outcome": "completed", "answers": 1, "delivered": 1,
        ]
        try put("/v1/sessions/\(session)/completion", end)
    }
}
