import Foundation
import Glibc
import HTTPClient
import LoopbackServers
import Synchronization
import TestSupport
import Testing
import UploadQueue
import Waiting

import struct ExamCore.SplitMix64

@testable import Backends

/// The tus client with an independent server: PyPI's `resumable-upload`, over the real network client.
@Suite(.serialized, .needs(TusServer.obstacle), .endsIfItHangs) struct RealResumableServer {
    private static let bytes = 20 << 20

    /// Returns an upload that uses the real client. `answered` can interrupt it.
    private func upload(
        to server: TusServer, by client: CurlClient,
        answered: @escaping @Sendable (String, Answer) -> Void = { _, _ in }
    ) -> ResumableUpload {
        ResumableUpload(endpoint: server.url) { (method, url, headers, body, sent) async throws(DeliveryFailure) in
            do throws(HTTPFailure) {
                let request = HTTPRequest(method, url, headers: headers, body: body)
                let answer = Answer(.tus, try await client.exchange(request, limits: HTTPLimits(), sent: sent))
                answered(method, answer)
                return answer
            } catch {
                throw DeliveryFailure(error)
            }
        }
    }

    private func file(_ folder: String) throws -> UploadFile {
        var random = SplitMix64(seed: 5)
        var content = Data(capacity: Self.bytes)
        while content.count < Self.bytes { withUnsafeBytes(of: random.next()) { content.append(contentsOf: $0) } }
        let path = folder + "/answer.wav"
        try content.write(to: URL(filePath: path))
        return UploadFile(path: path, byteCount: Self.bytes, sha256: "", mediaType: "audio/wav")
    }

    @Test func aWholeFileArrives() async throws {
        let server = try await TusServer.started()
        let file = try file(server.folder)
        let kept = Shared<String?>(nil)
        let end = try await upload(to: server, by: CurlClient()).send(
            file, metadata: [("filename", "answer.wav")], location: nil,
            keep: { location in kept.value = location }, sent: { _ in })
        #expect(end == .complete)
        #expect(try server.stored() == [Data(contentsOf: URL(filePath: file.path))])
        // Sending again after arrival takes only a HEAD.
        let place = kept.value
        let again = try await upload(to: server, by: CurlClient()) { method, _ in #expect(method == "HEAD") }.send(
            file, metadata: [], location: place, keep: { _ in }, sent: { _ in })
        #expect(again == .alreadyThere)
        print("resumable-upload 0.3.0: a place is like \(place?.prefix(12) ?? "none")…")
    }

    /// The server is killed after each piece in turn and restarted, and so is the client.
    @Test func deliveredPiecesAreNotSentAgainAfterAKill() async throws {
        for piece in 1...3 {
            let server = try await TusServer.started()
            let file = try file(server.folder)
            let kept = Shared<String?>(nil)
            let answers = Count()
            let interrupted = upload(to: server, by: CurlClient()) { method, _ in
                guard method == "PATCH" else { return }
                answers.add()
                if answers.value == piece { server.kill() }
            }
            await #expect(throws: DeliveryFailure.self) {
                _ = try await interrupted.send(
                    file, metadata: [("filename", "answer.wav")], location: nil,
                    keep: { location in kept.value = location }, sent: { _ in })
            }
            #expect(try await server.restart())
            let first = Shared<Int?>(nil)
            let end = try await upload(to: server, by: CurlClient()).send(
                file, metadata: [("filename", "answer.wav")], location: kept.value, keep: { _ in },
                sent: { count in first.value = first.value ?? count })
            #expect(end == .complete)
            #expect(first.value == piece * 6 << 20)
            #expect(try server.stored() == [Data(contentsOf: URL(filePath: file.path))])
        }
    }

    /// The upload is cancelled in the middle of a piece, ten times. Each time it continues from the server's offset.
    @Test func anUploadContinuesWithinAnInterruptedPiece() async throws {
        let server = try await TusServer.started()
        let file = try file(server.folder)
        let kept = Shared<String?>(nil)
        var cancelled = 0
        for round in 1...10 {
            let place = kept.value
            let task = Shared<Task<Void, any Error>?>(nil)
            let limit = round * 2 << 20
            let upload = upload(to: server, by: CurlClient())
            let work = Task {
                _ = try await upload.send(
                    file, metadata: [("filename", "answer.wav")], location: place,
                    keep: { location in kept.value = location },
                    sent: { count in if count >= limit { task.value?.cancel() } })
            }
            task.value = work
            if case .failure = await work.result { cancelled += 1 } else { break }
        }
        let end = try await upload(to: server, by: CurlClient()).send(
            file, metadata: [("filename", "answer.wav")], location: kept.value, keep: { _ in }, sent: { _ in }
        )
        #expect([.complete, .alreadyThere].contains(end))
        #expect(try server.stored() == [Data(contentsOf: URL(filePath: file.path))])
        print("resumable-upload 0.3.0: \(cancelled) interruptions within pieces")
    }

    /// The stored place belongs to a deleted upload, or has an id that the server doesn't even understand.
    @Test(arguments: [true, false])
    func aMissingUploadIsRestarted(_ isDeleted: Bool) async throws {
        let server = try await TusServer.started()
        let file = try file(server.folder)
        let (client, kept) = (CurlClient(), Shared<String?>("/files/0123456789"))
        if isDeleted {
            let headers = [("Tus-Resumable", "1.0.0"), ("Upload-Length", "\(Self.bytes)")]
            let created = try await client.exchange(HTTPRequest("POST", server.url, headers: headers))
            kept.value = created.headers["location"]
            let place = "http://127.0.0.1:\(server.port)\(try #require(kept.value))"
            #expect(try await client.exchange(HTTPRequest("DELETE", place, headers: headers)).status == 204)
        }
        let end = try await upload(to: server, by: client).send(
            file, metadata: [("filename", "answer.wav")], location: kept.value,
            keep: { location in kept.value = location }, sent: { _ in })
        #expect(end == .complete)
        #expect(try server.stored() == [Data(contentsOf: URL(filePath: file.path))])
    }
}

/// PyPI's tus server on loopback, in its own environment below `.build/trials`.
private final class TusServer: Sendable {
    /// Made by `make trials`. It has its own environment, because it needs other versions than the rest.
    private static let python = packageFolder + "/.build/trials/tus/bin/python"

    /// The reason why it can't run here, in one plain sentence; nil if it is installed.
    static let obstacle =
        run([python, "-c", "import resumable_upload"])
        ? nil : "resumable-upload is not in .build/trials/tus: make trials"

    let folder: String
    let port: Int
    private let process = Mutex<pid_t>(0)
    var url: String { "http://127.0.0.1:\(port)/files" }

    static func started() async throws -> TusServer {
        let server = try TusServer()
        try #require(try await server.start(), "the server of tus does not answer")
        return server
    }

    private init() throws {
        folder = FileManager.default.temporaryDirectory.path + "/oracy-tus-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        port = try #require(freePort(), "no free port")
    }

    deinit {
        kill()
        try? FileManager.default.removeItem(atPath: folder)
    }

    func restart() async throws -> Bool {
        try await start()
    }

    /// Kills the server at once, like a machine that fails.
    func kill() {
        process.withLock { process in
            guard process > 0 else { return }
            Glibc.kill(process, SIGKILL)
            waitpid(process, nil, 0)
            process = 0
        }
    }

    /// Returns the contents of its folder of uploads.
    func stored() throws -> [Data] {
        let uploads = folder + "/uploads"
        return try FileManager.default.contentsOfDirectory(atPath: uploads).sorted()
            .map { try Data(contentsOf: URL(filePath: uploads + "/" + $0)) }
            .filter { !$0.isEmpty }
    }

    private func start() async throws -> Bool {
        let arguments = [
            Self.python, "-m", "resumable_upload", "serve", "--host", "127.0.0.1", "--port", String(port),
            "--upload-dir",
            folder + "/uploads", "--db-path", folder + "/uploads.db", "--log-level", "ERROR",
        ]
        process.withLock { $0 = Self.spawn(arguments, output: folder + "/log") }
        let client = CurlClient()
        return await Patience.wait {
            let request = HTTPRequest("OPTIONS", url, headers: [("Tus-Resumable", "1.0.0")])
            return (try? await client.exchange(request)).map { $0.status < 300 } ?? false
        }
    }

    private static func spawn(_ arguments: [String], output: String) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        var words = arguments.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var child = pid_t(0)
        return posix_spawn(&child, arguments[0], &actions, nil, &words, environ) == 0 ? child : 0
    }

    private static func run(_ arguments: [String]) -> Bool {
        let child = spawn(arguments, output: "/dev/null")
        var status: Int32 = -1
        return child > 0 && waitpid(child, &status, 0) == child && status == 0
    }
}
