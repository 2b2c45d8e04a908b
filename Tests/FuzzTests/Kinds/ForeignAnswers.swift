import ExamServer
import Foundation
import Synchronization
import UploadQueue

@testable import Backends
@testable import ExamServer
@testable import HTTPClient
@testable import RecordingStores

/// Answers of foreign servers: S3 storage, a Supabase project, a backend, and an API that signs addresses.
struct ForeignAnswers: FuzzKind {
    static let name = "answers"
    static let share = 40_000

    private static let key = "8d0f3a55-7b29-4f0e-9f64-5f3f2f6f3a11/9d0f3a55-7b29-4f0e-9f64-5f3f2f6f3a11/a.1"
    private static let session = SessionFacts(
        id: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)), name: "n", format: "ielts-style",
        paper: "bridges", startedAt: "2026-11-21T09:12:29Z")

    func attempt(_ chance: inout Chance) async throws {
        let answer = Self.answer(&chance)
        switch chance.below(8) {
        case 0:
            _ = S3Words.keys(answer)
            _ = S3Words.sentence(answer, Self.storage, now: Date())
            for service in ServerError.Service.allCases { _ = ServerError(service, answer).label }
            _ = ProblemDetails(answer)
        case 1:
            let date = UploadHeaders.changed(
                chance.one(of: [
                    "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
                ]), &chance)
            _ = HTTPDate(date)
            let wait = RetryAfter.read([
                "retry-after": chance.once(in: 2) ? date : chance.one(of: Oddities.numbers), "date": date,
            ])
            try demand(wait.map { $0 >= .zero && $0 <= RetryAfter.longest } ?? true, "waits for \(wait!)")
        case 2: Self.readHead(&chance)
        case 3: try await Self.store(&chance)
        case 4, 5: try await Self.supabase(&chance)
        case 6:
            let client = ForeignServer(chance)
            let calls = BackendCalls(url: "http://127.0.0.1", client: client) { "token" }
            _ = try? await BackendResults(calls: calls).status(of: Self.session.id)
            await Self.templates(
                chance.once(in: 2)
                    ? BackendTemplates(calls: calls)
                    : SignedURLTemplates(url: "http://127.0.0.1", user: "u", client: client) { "token" })
        default:
            let client = ForeignServer(chance)
            let upload = Upload(id: Self.session.id, session: Self.session, content: .session)
            let signed = SignedURLUploader(url: "http://127.0.0.1", user: "u", template: "t", client: client) {
                "token"
            }
            _ = try? await signed.deliver(upload, with: Courier())
        }
        _ = chance.next()
    }

    private static var storage: S3Settings {
        S3Settings(endpoint: "http://127.0.0.1:1", bucket: "b", key: S3Key(id: "i", secret: "s"))
    }

    private static func store(_ chance: inout Chance) async throws {
        let store = S3AudioStore(storage, client: ForeignServer(chance))
        guard let key = AudioKey(key), let user = key.user else { return }
        _ = try? await store.size(of: key)
        _ = try? await store.keys(of: session.id, user: user)
        if let pieces = try? await store.read(key, range: chance.once(in: 2) ? nil : 10..<400) {
            var count = 0
            do {
                for try await piece in pieces {
                    count += piece.count
                    // Storage that never ends is read for as long as the caller wants more.
                    if count > 4 << 20 { break }
                }
            } catch {}
        }
    }

    private static func supabase(_ chance: inout Chance) async throws {
        let client = ForeignServer(chance)
        let project = try SupabaseProject(url: "http://127.0.0.1", key: "sb_publishable_x")
        let auth = SupabaseAuth(project, over: client, store: MemoryStore())
        _ = try? await auth.signIn(email: "e", password: "p")
        _ = try? await auth.credentials()
        _ = try? await auth.credentials()
        let uploader = SupabaseUploader(project, auth: auth, over: client)
        for content in [
            Upload.Content.session,
            .completion(
                CompletionFacts(completedAt: "2026-11-21T09:12:29Z", outcome: "completed", answers: 1, delivered: 1)),
        ] {
            _ = try? await uploader.deliver(Upload(id: session.id, session: session, content: content), with: Courier())
        }
        _ = try? await SupabaseResults(project, auth: auth, over: client).status(of: session.id)
        await templates(SupabaseTemplates(project, auth: auth, over: client))
        _ = SupabaseNote(
            UploadHeaders.changed(#"{"place":"p","location":"http://127.0.0.1/x","stored":"seen"}"#, &chance),
            place: "p")
        _ = AccessToken(UploadHeaders.changed(SignedTokens.token("{}", #"{"exp":9}"#), &chance)).expiresAt
    }

    /// Makes papers of a backend's templates, or refuses them. Nothing is written to disk.
    private static func templates(_ source: any TemplateSource) async {
        let template = ExamTemplate(id: session.id, title: "t")
        _ = try? await source.templates()
        if case .questions(let questions)? = try? await source.exam(template.id) {
            _ = TemplatePaper(template, questions) { $0.recording?.name }
        }
        let address = RecordingAddress(name: "a", url: "http://127.0.0.1/a")
        _ = try? await source.recording(address, of: template.id, otherThan: nil)
    }

    private static func readHead(_ chance: inout Chance) {
        var answer = HTTPAnswer()
        answer.longestBody = 1 << 16
        let lines = [
            "HTTP/1.1 200 OK\r\n", "Content-Length: 12\r\n", "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n", ": \r\n", ":",
            "\r\n", "x",
        ]
        for _ in 0..<6 {
            var line = Array(chance.one(of: lines).utf8)
            if chance.once(in: 2) { line.spoil(&chance) }
            line.withUnsafeBytes { bytes in _ = chance.once(in: 8) ? answer.takeBody(bytes) : answer.takeHeader(bytes) }
        }
    }

    // MARK: - Answers

    static func answer(_ chance: inout Chance) -> HTTPClient.HTTPResponse {
        var headers = [
            "content-type": chance.one(of: [
                "application/json", "application/problem+json", "text/html", "application/xml", "",
            ])
        ]
        for (name, value) in Self.headers where chance.once(in: 2) {
            headers[name] =
                chance.once(in: 2)
                ? value : chance.once(in: 2) ? chance.one(of: Oddities.numbers) : value.spoiled(&chance)
        }
        let body: [UInt8] =
            switch chance.below(6) {
            case 0: Array(UploadHeaders.changed(chance.one(of: xml), &chance).utf8)
            case 1: chance.bytes(chance.below(400))
            default: chance.one(of: json).changed(&chance, once: 4).spoiledSeldom(&chance)
            }
        // Server errors are retried after a pause, so only a few answers are such.
        let status =
            chance.once(in: 400)
            ? 503
            : chance.one(of: [200, 200, 200, 201, 204, 206, 302, 400, 401, 403, 404, 406, 409, 412, 413, 416, 422, 999])
        return HTTPClient.HTTPResponse(status: status, headers: headers, body: body)
    }

    private static let headers = [
        ("date", "Sun, 22 Nov 2026 08:49:37 GMT"), ("content-length", "320"), ("upload-offset", "6291456"),
        ("upload-length", "9000000"),
        ("location", "http://127.0.0.1/files/1"), ("x-amz-meta-sha256", "ab12"), ("x-should-retry", "true"),
        ("retry-after", "1"),
        ("repr-digest", "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:"),
        ("x-amz-bucket-region", "eu-central-1"),
    ]

    private static let xml = [
        "<?xml version=\"1.0\"?><Error><Code>SignatureDoesNotMatch</Code><Message>no</Message><Region>eu</Region></Error>",
        "<ListBucketResult><Contents><Key>\(key)</Key></Contents><Contents><Key>x</Key></Contents></ListBucketResult>",
        "<Error><Code>NoSuchKey</Code></Error></Code><Code>", "<html><body>Sign in to the hotel</body></html>",
    ]

    private static var json: [JSON] {
        let token = SignedTokens.token(
            "{}", #"{"sub":"8d0f3a55-7b29-4f0e-9f64-5f3f2f6f3a11","exp":-9223372036854775808,"role":"x"}"#)
        return [
            [
                "access_token": .text(token), "refresh_token": "r", "expires_in": .word("3600"),
                "user": ["id": "8d0f3a55-7b29-4f0e-9f64-5f3f2f6f3a11"],
            ],
            ["statusCode": "409", "error": "Duplicate", "message": "The resource already exists"],
            ["code": "23505", "details": .word("null"), "hint": .word("null"), "message": "duplicate key"],
            [
                "type": "/problems/parent-missing", "title": "Too early", "status": .word("409"),
                "detail": "not here yet",
            ],
            [
                "allowed": .word("true"), "used": .word("3"), "limit": .word("50"), "remaining": .word("47"),
                "message": "m",
            ],
            ["status": "evaluated", "overall_band_score": .word("6.5"), "fluency_score": .word("null")],
            [["id": "8d0f3a55-7b29-4f0e-9f64-5f3f2f6f3a11", "status": "in_progress"]],
            ["size": .word("320"), "etag": "\"x\""],
        ]
    }
}

/// A foreign server whose answers all differ.
private final class ForeignServer: HTTPExchanging {
    private let chance: Mutex<Chance>
    private let asked = Mutex(0)

    init(_ chance: Chance) {
        self.chance = Mutex(chance)
    }

    func exchange(
        _ request: HTTPClient.HTTPRequest, limits: HTTPLimits, sent: @escaping @Sendable (Int) -> Void
    ) async throws(HTTPFailure) -> HTTPClient.HTTPResponse {
        // A client that asks so often would never stop.
        let count = asked.withLock { count in
            count += 1
            return count
        }
        guard count < 1_000 else { fatalError("fuzz: \(request.method) \(request.url) is asked for ever") }
        return chance.withLock { ForeignAnswers.answer(&$0) }
    }
}

private final class MemoryStore: CredentialStore {
    private let kept = Mutex<Credentials?>(nil)

    func read() -> Credentials? { kept.withLock { $0 } }
    func write(_ credentials: Credentials) { kept.withLock { $0 = credentials } }
    func remove() { kept.withLock { $0 = nil } }
    func lock() -> CredentialLock { CredentialLock() }
}

extension JSON {
    /// Returns the JSON as bytes, seldom spoiled.
    func spoiledSeldom(_ chance: inout Chance) -> [UInt8] {
        var bytes = Array(written.utf8)
        if chance.once(in: 10) { bytes.spoil(&chance) }
        return bytes
    }
}
