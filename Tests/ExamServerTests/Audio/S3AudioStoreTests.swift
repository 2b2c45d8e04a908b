import Foundation
import HTTPClient
import LoopbackServers
import StoreTrials
import Synchronization
import SystemSupport
import TestSupport
import Testing

@testable import ExamNode
@testable import ExamServer
@testable import RecordingStores

/// Tests of `S3AudioStore` with OpenStack Swift, which checks signatures, dates and digests.
@Suite(.needs(S3Trial.obstacle)) struct S3AudioStoreTests {
    private let folder: TemporaryFolder
    private let key = AudioKey("user/session/answer.0123")!

    init() throws { folder = try TemporaryFolder() }

    private static let starting = Task { () -> S3Trial in
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try S3Trial(largest: 20 << 20) }) }
        }
    }

    /// Returns the settings of a new bucket.
    static func bucket() async throws -> S3Settings {
        let trial = try await starting.value
        let settings = S3Settings(
            endpoint: trial.endpoint, bucket: "takes-\(UUID().uuidString.lowercased().prefix(8))",
            region: S3Trial.region,
            key: S3Key(id: S3Trial.accessKey, secret: S3Trial.secret))
        let signed = SignatureV4(key: settings.key, region: settings.region)
        let request = SignatureV4.Request(
            method: "PUT", host: String(trial.endpoint.dropFirst("http://".count)), path: "/\(settings.bucket)")
        let address = trial.endpoint + signed.address(request, seconds: 600, at: Date())
        var status = 503
        // On a busy machine the proxy is up before the servers behind it.
        try await eventually("the servers behind the proxy are up") {
            status = try await CurlClient().exchange(HTTPRequest("PUT", address)).status
            return status != 503
        }
        try #require(status == 200)
        return settings
    }

    private func put(_ bytes: [UInt8], _ key: AudioKey, in store: S3AudioStore) async throws(AudioStoreError) {
        guard let path = try? folder.file(bytes) else { throw AudioStoreError(.unavailable, "no file") }
        try await store.put(path, as: key, sha256: SHA256.hexadecimal(of: bytes), mediaType: "audio/ogg")
    }

    private func bytes(_ key: AudioKey, in store: S3AudioStore, _ range: Range<Int>? = nil) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await piece in try await store.read(key, range: range) {
            #expect(piece.count <= 65_536)
            bytes += piece
        }
        return bytes
    }

    private func failure(_ work: () async throws(AudioStoreError) -> Void) async -> AudioStoreError? {
        do throws(AudioStoreError) {
            try await work()
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [0, 1, 1 << 20, 1_048_577, 10 << 20]) func storedBytesAreReadAgain(_ count: Int) async throws {
        let settings = try await Self.bucket()
        let store = S3AudioStore(settings)
        #expect(try await store.size(of: key) == nil)
        try await put(noise(count), key, in: store)
        try await put(noise(count), key, in: store)
        #expect(try await store.size(of: key) == count)
        #expect(try await bytes(key, in: store) == noise(count))
        try await store.delete(key)
        try await store.delete(key)
        #expect(try await store.size(of: key) == nil)
        let missing = await failure { () async throws(AudioStoreError) in _ = try await store.read(key, range: nil) }
        #expect(missing?.kind == .missing)
    }

    @Test func aRangeIsReadAlone() async throws {
        let settings = try await Self.bucket()
        let store = S3AudioStore(settings)
        let whole = noise(2_500_000)
        try await put(whole, key, in: store)
        for range in [0..<1, 100..<200_000, 1_000_000..<2_400_000, 2_499_999..<2_500_000, 2_499_999..<9_000_000] {
            #expect(try await bytes(key, in: store, range) == Array(whole[range.clamped(to: 0..<whole.count)]))
        }
    }

    @Test func otherBytesAreRefused() async throws {
        let settings = try await Self.bucket()
        let store = S3AudioStore(settings)
        try await put(noise(1_000), key, in: store)
        let failed = await failure { () async throws(AudioStoreError) in try await put(noise(1_001), key, in: store) }
        #expect(failed?.kind == .differs)
        #expect(try await bytes(key, in: store) == noise(1_000))
        // If several writers write at the same time, the stored bytes are those of a writer that was told that it
        // succeeded.
        let race = AudioKey("user/session/race")!
        let won = await withTaskGroup(of: UInt64?.self) { group in
            for seed in 1...4 as ClosedRange<UInt64> {
                group.addTask { (try? await put(noise(5_000, seed: seed), race, in: store)).map { seed } }
            }
            return await group.reduce(into: [UInt64]()) { if let seed = $1 { $0.append(seed) } }
        }
        // Swift checks and writes in two steps, so more than one writer may be told that it was first.
        #expect(!won.isEmpty)
        let there = try await bytes(race, in: store)
        #expect(won.contains { noise(5_000, seed: $0) == there })
    }

    @Test func aSessionsKeysAreItsOwnAlone() async throws {
        let settings = try await Self.bucket()
        let store = S3AudioStore(settings)
        let (user, session) = (UUID(), UUID())
        let upload = AudioKey(resumable: UUID(), of: session, user: user)
        let mine = [0, 10, 20].map { upload.piece(at: $0) }
        let another = AudioKey(resumable: UUID(), of: UUID(), user: user).piece(at: 0)
        for key in mine + [another] { try await put(noise(10), key, in: store) }
        #expect(try await Set(store.keys(of: session, user: user)) == Set(mine))
        #expect(try await store.keys(of: session, user: UUID()).isEmpty)
        try await store.removeAll(of: session, user: user)
        #expect(try await store.keys(of: session, user: user).isEmpty)
        #expect(try await store.size(of: another) == 10)
    }

    @Test func damageOnTheWayIsSeenByTheStorage() async throws {
        let settings = try await Self.bucket()
        let damaged = try folder.file(noise(1_000, seed: 2))
        let store = S3AudioStore(settings, client: OtherBytes(path: damaged))
        let failed = await failure { () async throws(AudioStoreError) in try await put(noise(1_000), key, in: store) }
        #expect(failed?.kind == .differs, "\(String(describing: failed))")
        #expect(try await S3AudioStore(settings).size(of: key) == nil)
    }

    @Test func failuresAreReportedInPlainWords() async throws {
        let settings = try await Self.bucket()
        var wrong = settings
        wrong.key = S3Key(id: S3Trial.accessKey, secret: "hush-hush")
        let store = S3AudioStore(wrong)
        let secret = await failure { () async throws(AudioStoreError) in try await store.ping() }
        #expect(
            secret == AudioStoreError(.unavailable, "the storage says that the secret of the access key is another one")
        )
        let put = await failure { () async throws(AudioStoreError) in try await self.put(noise(10), key, in: store) }
        #expect(put?.kind == .unavailable)
        #expect(put.map { "\($0)".contains("hush") } == false)

        wrong = settings
        wrong.bucket = "missing-bucket"
        let bucket = S3AudioStore(wrong)
        let missing = await failure { () async throws(AudioStoreError) in try await self.put(noise(10), key, in: bucket)
        }
        #expect(missing == AudioStoreError(.unavailable, "there is no bucket missing-bucket"))
        #expect(
            await failure { () async throws(AudioStoreError) in try await bucket.ping() }?.message == missing?.message)

        wrong = settings
        wrong.region = "eu-west-9"
        let region = S3AudioStore(wrong)
        let elsewhere = await failure { () async throws(AudioStoreError) in try await region.ping() }
        #expect(elsewhere?.message.hasPrefix("the region is not eu-west-9") == true, "\(String(describing: elsewhere))")

        try await S3AudioStore(settings).ping()
    }

    @Test func anAddressTakesOneTypeUntilItRunsOut() async throws {
        let settings = try await Self.bucket()
        let store = S3AudioStore(settings)
        let address = try #require(store.uploadURL(for: key, mediaType: "audio/ogg", seconds: 600))
        func put(_ address: String, _ type: String) async throws -> Int {
            try await CurlClient().exchange(
                HTTPRequest("PUT", address, headers: [("Content-Type", type)], body: .bytes(noise(1_000)))
            ).status
        }
        #expect(try await put(address, "text/html") == 403)
        #expect(try await put(address.replacing("0123", with: "0124"), "audio/ogg") == 403)
        #expect(try await put(address, "audio/ogg") == 200)
        #expect(try await bytes(key, in: store) == noise(1_000))
        // Stored through the address, so no digest was stored beside it.
        try await self.put(noise(1_000), key, in: store)
        let failed = await failure { () async throws(AudioStoreError) in try await self.put(noise(999), key, in: store)
        }
        #expect(failed?.kind == .differs)
        let old = SignatureV4(key: settings.key, region: settings.region)
        let request = SignatureV4.Request(
            method: "PUT", host: String(settings.endpoint.dropFirst("http://".count)),
            path: "/\(settings.bucket)/\(key)",
            headers: [("content-type", "audio/ogg")])
        let late = settings.endpoint + old.address(request, seconds: 60, at: Date(timeIntervalSinceNow: -120))
        #expect(try await put(late, "audio/ogg") == 403)
    }

    @Test func anOddPathIsSignedAsItIsSent() async throws {
        let settings = try await Self.bucket()
        let signature = SignatureV4(key: settings.key, region: settings.region)
        let host = String(settings.endpoint.dropFirst("http://".count))
        for name in ["a b+c=d&e", "ä/ö~ß", "100%25", "q?x#y", "(1)!*'", "日本"] {
            var request = SignatureV4.Request(method: "PUT", host: host, path: "/\(settings.bucket)/\(name)")
            for (method, body) in [("PUT", noise(10)), ("GET", [])] {
                request.method = method
                let headers = signature.headers(request, bodySHA256: SHA256.hexadecimal(of: body), at: Date())
                let answer = try await CurlClient().exchange(
                    HTTPRequest(
                        method, settings.endpoint + SignatureV4.target(request), headers: headers,
                        body: method == "PUT" ? .bytes(body) : .none))
                #expect(answer.status == 200, "\(name): \(answer.text)")
                if method == "GET" { #expect(answer.body == noise(10)) }
            }
        }
    }

    /// Resumable uploads and upload addresses of a server that stores its recordings in a bucket.
    @Test(.bothStores) func aServerKeepsItsRecordingsThere() async throws {
        let settings = try await Self.bucket()
        try await withUploadServer(audio: S3AudioStore(settings)) { server in
            let (user, answer, second) = (UUID(), UUID(), UUID())
            let session = try await server.makeSession(of: user)
            let metadata = ["session": "\(session)", "answer": "\(answer)", "filetype": "audio/wav"]
                .map { "\($0) \(Data($1.utf8).base64EncodedString())" }.joined(separator: ",")
            let version = ("Tus-Resumable", "1.0.0")
            let made = try await server.ask(
                "POST", "/v1/uploads", as: user, [version, ("Upload-Length", "3000000"), ("Upload-Metadata", metadata)])
            let place = try #require(made.headers["location"])
            for start in [0, 1_000_000, 2_000_000] {
                let patched = try await server.ask(
                    "PATCH", place, as: user,
                    [version, ("Upload-Offset", "\(start)"), ("Content-Type", "application/offset+octet-stream")],
                    Array(noise(3_000_000)[start..<start + 1_000_000]))
                #expect(patched.status == 204, "\(patched.text)")
            }
            #expect(try await server.ask("GET", "/v1/recordings/\(answer)", as: user).body == noise(3_000_000))
            let range = try await server.ask(
                "GET", "/v1/recordings/\(answer)", as: user, [("Range", "bytes=1500000-2600000")])
            #expect(range.status == 206)
            #expect(range.body == Array(noise(3_000_000)[1_500_000...2_600_000]))

            func post(_ path: String, _ fields: [String: String]) async throws -> HTTPResponse {
                try await server.ask("POST", "/v1/\(path)", as: user, [], Array(try JSONEncoder().encode(fields)))
            }
            let generated = try await post(
                "generate-upload-url",
                [
                    "user_id": "\(user)", "test_id": "\(session)", "part_type": "part1", "question_id": "q",
                    "file_extension": ".opus",
                ])
            let fields = try JSONSerialization.jsonObject(with: Data(generated.body)) as? [String: Any]
            let url = try #require(fields?["upload_url"] as? String)
            #expect(url.hasPrefix(settings.endpoint))
            let stored = try await CurlClient().exchange(
                HTTPRequest("PUT", url, headers: [("Content-Type", "audio/ogg")], body: .bytes(noise(7_000))))
            #expect(stored.status == 200)
            let key = try #require(fields?["key"] as? String)
            let complete = ["user_id": "\(user)", "key": key, "response_id": "\(second)"]
            #expect(try await post("upload-complete", complete).status == 200)
            // A client that still has the address can't change the stored recording.
            _ = try await CurlClient().exchange(
                HTTPRequest("PUT", url, headers: [("Content-Type", "audio/ogg")], body: .bytes(noise(7_000, seed: 9))))
            #expect(try await server.ask("GET", "/v1/recordings/\(second)", as: user).body == noise(7_000))
        }
    }
}

/// Storage that fails.
@Suite struct S3TroubleTests {
    private let folder: TemporaryFolder
    private let key = AudioKey("user/session/answer")!

    init() throws { folder = try TemporaryFolder() }

    private func store(_ client: any HTTPExchanging) -> S3AudioStore {
        S3AudioStore(
            S3Settings(endpoint: "http://127.0.0.1:9", bucket: "b", key: S3Key(id: "i", secret: "hush")), client: client
        )
    }

    @Test func passingFailuresAreRetried() async throws {
        let server = Scripted([
            .init(status: 503), .init(status: 500), .init(status: 200, headers: ["content-length": "7"]),
        ])
        #expect(try await store(server).size(of: key) == 7)
        #expect(server.count == 3)
    }

    @Test func lastingFailuresAreReported() async throws {
        let server = Scripted([.init(status: 503)])
        do {
            _ = try await store(server).size(of: key)
            Issue.record("it has a size")
        } catch {
            #expect(error == AudioStoreError(.unavailable, "the storage answered 503"))
        }
        #expect(server.count == 4)
    }

    @Test func aWrongClockIsReported() async throws {
        let now = UTCText(Date(timeIntervalSinceNow: 3_600)).header
        let server = Scripted([
            .init(
                status: 403, headers: ["date": now],
                body: Array("<Error><Code>RequestTimeTooSkewed</Code><Message>m</Message></Error>".utf8))
        ])
        do {
            try await store(server).ping()
            Issue.record("it answers")
        } catch {
            #expect(error.message == "this machine's clock and the storage's differ by 60 minutes: set the clock")
        }
        #expect(server.count == 1)
    }

    @Test func aBucketMayBePartOfTheHost() throws {
        let store = S3AudioStore(
            S3Settings(
                endpoint: "https://s3.example.org:443/", bucket: "takes", isPathStyle: false,
                key: S3Key(id: "i", secret: "s")))
        let url = try #require(store.uploadURL(for: key, mediaType: "audio/ogg", seconds: 60))
        #expect(url.hasPrefix("https://takes.s3.example.org/user/session/answer?X-Amz-Algorithm=AWS4-HMAC-SHA256&"))
        #expect(url.contains("X-Amz-SignedHeaders=content-type%3Bhost"))
    }

    /// A 200 may come from a proxy and not from the storage.
    @Test func anUploadIsVerifiedAfterA200() async throws {
        let server = Scripted([.init(status: 404), .init(status: 200), .init(status: 404)])
        let path = try folder.file(noise(10))
        do {
            try await store(server).put(
                path, as: key, sha256: SHA256.hexadecimal(of: noise(10)), mediaType: "audio/ogg")
            Issue.record("it is there")
        } catch {
            #expect(error.kind == .unavailable)
        }
    }
}

/// Gives its answers one after another, and then repeats the last one.
private final class Scripted: HTTPExchanging {
    private let answers: [HTTPResponse]
    private let asked = Mutex(0)

    init(_ answers: [HTTPResponse]) { self.answers = answers }

    var count: Int { asked.withLock { $0 } }

    func exchange(
        _ request: HTTPRequest, limits: HTTPLimits, sent: @escaping @Sendable (Int) -> Void
    ) async throws(HTTPFailure) -> HTTPResponse {
        let number = asked.withLock { count in
            count += 1
            return count - 1
        }
        return answers[min(number, answers.count - 1)]
    }
}

/// A connection on which other bytes arrive than were sent.
private struct OtherBytes: HTTPExchanging {
    let path: String
    private let client = CurlClient()

    init(path: String) { self.path = path }

    func exchange(
        _ request: HTTPRequest, limits: HTTPLimits, sent: @escaping @Sendable (Int) -> Void
    ) async throws(HTTPFailure) -> HTTPResponse {
        var request = request
        if case .file(_, let offset, let count) = request.body {
            request.body = .file(path: path, offset: offset, byteCount: count)
        }
        return try await client.exchange(request, limits: limits, sent: sent)
    }
}
