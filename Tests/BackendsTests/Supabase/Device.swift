import ExamCore
import Foundation
import SupabaseStandIn
import Synchronization
import UploadQueue

@testable import Backends

/// A candidate's machine: a program that can be killed, and a disk that keeps what was written.
final class Device: Sendable {
    let standIn: StandInProject
    let folder: String
    let store: CredentialFile
    /// The queue's note for each upload.
    private let notes = Mutex<[UUID: String]>([:])
    /// The part and order of the answers that arrived.
    private let arrivals = Mutex<Set<[Int]>>([])
    /// Called for each note, before it is stored.
    let keeping = Mutex<@Sendable (String?) throws(DeliveryFailure) -> Void>({ _ in })
    let progress = Mutex<[Int]>([])

    static let session = SessionFacts(
        id: UUID(uuidString: "11111111-2222-4333-8444-555555555555")!, name: "2026-11-21-0912-bridges",
        format: "given-questions", paper: StandInProject.template, startedAt: "2026-11-21T09:12:29Z")
    /// The same session as a local exam.
    static let withoutTemplate = SessionFacts(
        id: session.id, name: session.name, format: "ielts-style", paper: "bridges", startedAt: session.startedAt)

    init(_ standIn: StandInProject? = nil) throws {
        self.standIn = try standIn ?? StandInProject()
        folder = FileManager.default.temporaryDirectory.path + "/oracy-supabase-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        store = CredentialFile(path: folder + "/credentials/supabase.json")
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    static func project() throws -> SupabaseProject {
        try SupabaseProject(url: StandInProject.url, key: StandInProject.key)
    }

    /// Returns a sign-in as after a start of the program: only what is on disk is remembered.
    func auth() throws -> SupabaseAuth {
        SupabaseAuth(try Self.project(), over: standIn, store: store)
    }

    func uploader(_ set: (inout SupabaseUploader.Settings) -> Void = { _ in }) throws -> SupabaseUploader {
        try uploader(with: auth(), set)
    }

    func uploader(
        with auth: SupabaseAuth, _ set: (inout SupabaseUploader.Settings) -> Void = { _ in }
    ) throws -> SupabaseUploader {
        var settings = SupabaseUploader.Settings()
        set(&settings)
        var calls = SupabaseCalls(project: try Self.project(), auth: auth, exchange: standIn)
        calls.pause = { _ in }
        return SupabaseUploader(calls, settings)
    }

    func signIn() async throws {
        try await auth().signIn(email: StandInAuth.email, password: StandInAuth.password)
        standIn.with { $0.requests = [] }
    }

    /// Returns a device whose user is signed in and whose session has its row.
    static func ready(_ standIn: StandInProject? = nil) async throws -> Device {
        let device = try Device(standIn)
        try await device.signIn()
        try await device.deliver(device.sessionUpload)
        device.standIn.with { $0.requests = [] }
        return device
    }

    // MARK: - Uploads

    var sessionUpload: Upload { Upload(id: Self.session.id, session: Self.session, content: .session) }

    func answer(
        part: Int = 1, order: Int = 1, attempt: Int = 1, bytes: Int = 48_000, salt: UInt8 = 0,
        seconds: Double = 12.346, session: SessionFacts = session
    ) throws -> Upload {
        let path = "\(folder)/part\(part)_q\(order)_a\(attempt)_\(bytes).opus"
        // 251 is prime, so that no two pieces are equal.
        let pattern = (0..<251).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ part &* 7 &+ order) &+ salt }
        var content = Data(pattern)
        while content.count < bytes { content += content.prefix(content.count / 251 * 251) }
        try content.prefix(bytes).write(to: URL(filePath: path))
        let file = UploadFile(path: path, byteCount: bytes, sha256: "", mediaType: "audio/ogg")
        let facts = AnswerRecord(
            question: StandInProject.question(part, order), part: part, order: order, attempt: attempt, end: "finished",
            duration: Seconds(.milliseconds(Int(seconds * 1000))),
            speech: Seconds(.seconds(9)))
        let id = UUID(uuidString: "aaaaaaaa-0000-4000-8000-00000000\(attempt)\(part)0\(order)")!
        return Upload(id: id, session: session, content: .answer(facts, file))
    }

    func completion(of answers: Int = 1, delivered: Int = 1) -> Upload {
        let facts = CompletionFacts(
            completedAt: "2026-11-21T09:26:01Z", outcome: "completed", answers: answers, delivered: delivered)
        return Upload(
            id: UUID(uuidString: "cccccccc-0000-4000-8000-000000000001")!, session: Self.session,
            content: .completion(facts))
    }

    // MARK: - Deliveries

    /// Makes one attempt, by default with a newly started program.
    func deliver(_ upload: Upload, by uploader: SupabaseUploader? = nil) async throws(DeliveryFailure) {
        let fresh: SupabaseUploader
        do { fresh = try uploader ?? self.uploader() } catch { throw DeliveryFailure(.refused, message: "\(error)") }
        let arrived = arrived(before: upload)
        let courier = Courier(
            note: notes.withLock { $0[upload.id] }, arrived: { arrived },
            keep: { [self] note throws(DeliveryFailure) in
                try keeping.withLock { $0 }(note)
                notes.withLock { $0[upload.id] = note }
            },
            sent: { [self] count in progress.withLock { $0.append(count) } })
        try await fresh.deliver(upload, with: courier)
        if case .answer(let answer, _) = upload.content {
            _ = arrivals.withLock { $0.insert([answer.part, answer.order]) }
        }
    }

    /// Returns the count as the queue computes it.
    private func arrived(before upload: Upload) -> Int {
        guard case .answer(let answer, _) = upload.content else { return 0 }
        return arrivals.withLock { $0.subtracting([[answer.part, answer.order]]).count }
    }

    /// Makes attempts, each with a newly started program, until one succeeds.
    ///
    /// - Returns: The number of attempts.
    func deliverAtLast(_ upload: Upload, within most: Int = 12) async throws -> Int {
        for attempt in 1...most {
            do throws(DeliveryFailure) {
                try await deliver(upload)
                return attempt
            } catch {
                guard [.transient, .timedOut, .unreachable, .cancelled].contains(error.kind) else { throw error }
            }
        }
        throw DeliveryFailure(.transient, message: "not within \(most) attempts")
    }

    func failure(of upload: Upload, by uploader: SupabaseUploader? = nil) async -> DeliveryFailure? {
        do throws(DeliveryFailure) {
            try await deliver(upload, by: uploader)
            return nil
        } catch {
            return error
        }
    }

    func note(of upload: Upload) -> String? { notes.withLock { $0[upload.id] } }
    func set(note: String?, of upload: Upload) { notes.withLock { $0[upload.id] = note } }
    /// The requests in order, in the form `POST /rest/v1/responses`.
    var lines: [String] { standIn.with { $0.requests.map(\.line) } }
    var complaints: [String] { standIn.with { $0.complaints } }
    func rows(_ table: String) -> [[String: StandInProject.Value]] { standIn.rows(table) }
    var objects: [String: StandInStorage.Object] { standIn.objects() }
}

/// A value that several tasks share.
final class Shared<Value: Sendable>: Sendable {
    private let held: Mutex<Value>
    init(_ value: Value) { held = Mutex(value) }

    var value: Value {
        get { held.withLock { $0 } }
        set { held.withLock { $0 = newValue } }
    }
}
