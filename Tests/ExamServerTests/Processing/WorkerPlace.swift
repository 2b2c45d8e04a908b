import AudioFiles
import ExamCore
import ExamStore
import Foundation
import Glibc
import Logging
import StoreTrials
import SystemSupport
import Testing

@testable import ExamNode
@testable import ExamServer
@testable import RecordingStores

/// A place for workers in tests: this test's database and a folder of recordings, removed after the test.
struct WorkerPlace: Codable, Sendable {
    /// The database's file or address.
    let database: String
    let folder: String

    init() async throws {
        folder = NSTemporaryDirectory() + "oracy-workers-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        database = try await TestDatabase.migrated().address
    }

    func open() throws -> ExamDatabase { try TestDatabase.open(database) }

    func services(
        _ store: ExamDatabase, assessors: AssessorPanel = AssessorPanel(), audio: (any AudioStore)? = nil,
        log: KeptLog? = nil, _ change: (inout ServerSettings) -> Void = { _ in }
    ) throws -> Services {
        var settings = ServerSettings(folder: folder)
        change(&settings)
        var services = Services(
            settings: settings, store: store,
            audio: try audio ?? FolderAudioStore(path: folder + "/audio"),
            logger: log?.logger ?? Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
        services.panel = assessors
        return services
    }

    /// Returns the answer of a recording. Assessors get no ids, so they know an answer by its recording.
    static func answer(with digest: String, in folder: String) -> UUID {
        UUID(uuidString: (try? String(contentsOfFile: "\(folder)/\(digest).answer", encoding: .utf8)) ?? "") ?? UUID()
    }

    func remove() { try? FileManager.default.removeItem(atPath: folder) }

    /// Stores a completed session with recordings of its answers. The returned ids of the answers are in the order of
    /// the exam.
    ///
    /// - Parameter late: The number of further answers that the session announces. They come later.
    func hold(
        _ services: Services, answers: Int, late: Int = 0, user: UUID = UUID(), bytes: [UInt8]? = nil
    ) async throws -> (session: UUID, user: UUID, answers: [UUID]) {
        let owned = services.owned(by: user)
        let session = TestSession(
            id: UUID(), name: "held", format: "ielts-style", paper: "bridges", startedAt: "2026-11-21T09:12:29Z")
        _ = try await owned.put(session)
        var ids: [UUID] = []
        for order in 1...answers {
            ids.append(try await answer(services, owned, session.id, order: order, bytes: bytes))
        }
        let completion = Completion(
            id: UUID(), completedAt: "2026-11-21T09:26:01Z", outcome: "completed", answers: answers + late)
        _ = try await owned.complete(session.id, completion)
        return (session.id, user, ids)
    }

    func answer(
        _ services: Services, _ owned: OwnedStore, _ session: UUID, order: Int, bytes: [UInt8]? = nil
    ) async throws -> UUID {
        let (id, path) = (UUID(), "\(folder)/\(UUID().uuidString).wav")
        if let bytes {
            try Data(bytes).write(to: URL(filePath: path))
        } else {
            let wav = try GrowingWAV(path: path)
            // Each recording differs, so that its digest identifies it.
            try wav.append(
                [Float](repeating: 0.5, count: 1_600 * order) + (0..<64).map { _ in .random(in: -0.5...0.5) })
        }
        let stored = try Data(contentsOf: URL(filePath: path))
        let digest = SHA256.hexadecimal(of: Array(stored))
        try Data(id.uuidString.utf8).write(to: URL(filePath: "\(folder)/\(digest).answer"))
        let key = AudioKey(recording: id, of: session, user: owned.user, sha256: digest)
        try await services.audio.put(path, as: key, sha256: digest, mediaType: "audio/wav")
        let recording = Recording(
            id: id, session: session, key: key.text, byteCount: stored.count, sha256: digest, mediaType: "audio/wav")
        let response = TestResponse(
            id: id, session: session, record: AnswerRecord(question: "q\(order)", part: 1, order: order),
            path: "responses/\(order).wav", byteCount: stored.count, sha256: digest, mediaType: "audio/wav")
        #expect(try await owned.put(response, recording: recording) == .created)
        return id
    }
}

/// Runs a test with a place and its store.
func withWorkerPlace(_ body: (WorkerPlace, ExamDatabase) async throws -> Void) async throws {
    let place = try await WorkerPlace()
    defer { place.remove() }
    let store = try place.open()
    do {
        try await body(place, store)
    } catch {
        await store.close()
        throw error
    }
    await store.close()
}
