import BackendAPI
import ExamNode
import ExamStore
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import RecordingStores
import SystemSupport

/// Routes for uploading recordings to signed addresses, for clients that know no other interface. These are the names
/// of fields:
///
/// | request | body | answer |
/// |---|---|---|
/// | `GET /v1/quota?user_id=` | | 200 `{allowed, tier, used, limit, remaining, message, stored_bytes, stored_bytes_limit}` |
/// | `POST /v1/generate-upload-url` | `{user_id, test_id, part_type, question_id, file_extension}` | 200 `{upload_url, key, expires_in}` |
/// | `PUT` to `upload_url` | the bytes, with the extension's `Content-Type` | the storage's; here 201 |
/// | `POST /v1/upload-complete` | `{user_id, test_id, key, response_id, template_id, …, trigger_evaluation}` | 200 `{response_id, status}` |
/// | `POST /v1/evaluate` | `{session_id, user_id, template_id}` | 202 `{session_id, status}`; 200 if it was requested before |
///
/// `user_id` must be the token's own, or the answer is 403. `test_id` is the session, which is created if necessary:
/// these clients have no other way to announce an exam. `template_id` is stored with it if this server has that
/// template. `SignedTemplateRoutes` lists the available exams.
struct SignedUploadRoutes: Sendable {
    let services: Services
    /// The secret. Nil if it cannot be stored. Then addresses of a folder cannot be signed.
    private let secret: UploadSecret?

    /// The seconds for which an address is valid. Clients request one immediately before sending.
    static let seconds = 900

    init(services: Services) {
        self.services = services
        secret = UploadSecret(of: services)
    }

    func add(to routes: RouterGroup<ServerContext>) {
        routes.get("quota", use: quota)
        routes.post("generate-upload-url", use: generate)
        routes.post("upload-complete", use: complete)
        routes.post("evaluate", use: evaluate)
        routes.put("uploads/direct/:ticket", use: direct)
    }

    // MARK: - The routes

    @Sendable private func quota(_ request: Request, _ context: ServerContext) async throws -> Response {
        struct Answer: Encodable {
            var allowed: Bool
            var tier = "standard"
            var used, limit, remaining: Int
            var message: String
            var storedBytes, storedBytesLimit: Int
        }
        let user = try context.requireUser()
        if let named = request.uri.queryParameters["user_id"] { try Self.check(String(named), is: user) }
        let quota = try await Quota(of: user, services)
        var problem: APIProblem?
        do throws(APIProblem) {
            // An address reserves space for the largest recording.
            try quota.admit(recording: quota.limits.recordingBytes)
            try quota.admitExam()
        } catch {
            problem = error
        }
        return try Self.json(
            Answer(
                allowed: problem == nil, used: quota.usage.sessionsToday, limit: quota.limits.examsPerDay,
                remaining: quota.remainingExams,
                message: problem?.detail ?? "\(quota.remainingExams) exams left today", storedBytes: quota.usage.bytes,
                storedBytesLimit: quota.limits.storedBytes))
    }

    @Sendable private func generate(_ request: Request, _ context: ServerContext) async throws -> Response {
        struct Answer: Encodable {
            var uploadUrl, key: String
            var expiresIn: Int
        }
        let caller = try context.requireCaller()
        let place: UploadPlace = try await Self.read(request, context)
        try Self.check(place.userId, is: caller.user)
        let (session, facts) = try place.facts()
        let uploads = SignedIntake(services: services, caller: caller)
        let key = try await uploads.begin(session, facts)
        let url: String
        if let own = services.audio.uploadURL(for: key, mediaType: facts.mediaType, seconds: Self.seconds) {
            url = own
        } else {
            guard let secret, let mediaType = AudioMediaType(facts.mediaType) else { throw APIProblem.busy }
            let ticket = UploadTicket(
                key: key, mediaType: mediaType, byteLimit: services.settings.limits.recordingBytes,
                end: Int(services.clock().timeIntervalSince1970) + Self.seconds)
            // The folder belongs to this node, so the address must be this node's.
            let origin = services.settings.nodeURL ?? request.origin
            url = "\(origin)/v1/uploads/direct/\(ticket.text(signedBy: secret))"
        }
        return try Self.json(Answer(uploadUrl: url, key: key.text, expiresIn: Self.seconds))
    }

    @Sendable private func complete(_ request: Request, _ context: ServerContext) async throws -> Response {
        struct Answer: Encodable {
            var responseId: String
            var status = "uploaded"
        }
        let caller = try context.requireCaller()
        let stored: StoredObject = try await Self.read(request, context)
        try Self.check(stored.userId, is: caller.user)
        let uploads = SignedIntake(services: services, caller: caller)
        let (session, answer) = try await uploads.complete(stored)
        if stored.triggerEvaluation == true { _ = try await uploads.evaluate(session, template: nil) }
        return try Self.json(Answer(responseId: answer.name))
    }

    @Sendable private func evaluate(_ request: Request, _ context: ServerContext) async throws -> Response {
        struct Wish: Decodable {
            var sessionId, userId: String
            var templateId: String?
        }
        struct Answer: Encodable {
            var sessionId, status: String
        }
        let caller = try context.requireCaller()
        let wish: Wish = try await Self.read(request, context)
        try Self.check(wish.userId, is: caller.user)
        guard let session = WrittenID(wish.sessionId)?.id else { throw APIProblem.missing("session") }
        let template = try SignedIntake.template(wish.templateId)
        let (isNew, status) = try await SignedIntake(services: services, caller: caller).evaluate(
            session, template: template)
        return try Self.json(Answer(sessionId: session.name, status: status), isNew ? .accepted : .ok)
    }

    /// Receives an object at an address signed by this server.
    @Sendable private func direct(_ request: Request, _ context: ServerContext) async throws -> Response {
        guard let secret, let text = context.parameters.get("ticket"),
            let ticket = UploadTicket(text, signedBy: secret),
            let key = AudioKey(ticket.key)
        else { throw Self.notOurs }
        guard Double(ticket.end) > services.clock().timeIntervalSince1970 else { throw Self.expired }
        guard request.headers[.contentType].flatMap({ AudioMediaType($0) })?.text == ticket.mediaType else {
            throw APIProblem(
                .unsupportedMediaType, "other-type", "Wrong type",
                "This address takes \(ticket.mediaType); the Content-Type says something else.")
        }
        let length = request.headers[.contentLength].flatMap { Int($0) } ?? 0
        guard length <= ticket.byteLimit else { throw APIProblem.tooLarge(limit: ticket.byteLimit) }
        guard try await SignedIntake.isAwaited(key, services) else { throw Self.expired }
        let file = try await ReceivedFile.take(
            request.body, limit: ticket.byteLimit, folder: services.settings.uploadFolder)
        guard file.isWhole else { throw APIProblem.malformed("The connection broke before the end of the body.") }
        if let mediaType = AudioMediaType(ticket.mediaType) {
            try await RecordingIntake(services).admit(file, mediaType)
        }
        do throws(AudioStoreError) {
            try await file.put(into: services.audio, as: key, mediaType: ticket.mediaType)
        } catch {
            guard error.kind == .differs else { throw APIProblem(error) }
            throw APIProblem(
                .conflict, "address-used", "Already used", "Something else was sent to this address. Ask for a new one."
            )
        }
        return Response(status: .created)
    }

    static let notOurs = APIProblem(
        .forbidden, "bad-address", "Invalid address", "This server did not sign this address.")

    static let expired = APIProblem(
        .gone, "address-expired", "Expired", "This address has expired. Ask for a new one.")

    // MARK: - Shared code

    static func check(_ named: String, is user: UUID) throws(APIProblem) {
        guard WrittenID(named)?.id == user else {
            throw APIProblem(
                .forbidden, "somebody-else", "Not yours", "user_id is not the user whose token came with the request.")
        }
    }

    /// Reads a body. Its fields have names with underscores. Unknown fields are ignored.
    private static func read<Value: Decodable>(
        _ request: Request, _ context: ServerContext
    ) async throws(APIProblem) -> Value {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let body = try await request.jsonBody(context)
        do {
            return try decoder.decodeForeign(Value.self, from: body)
        } catch let error as DecodingError {
            throw .malformed(JSONFault(error, in: body, names: snakeCase).message)
        } catch {
            throw .malformed("The body must be JSON with the fields of this route.")
        }
    }

    /// Returns `part_type` for `partType`.
    private static func snakeCase(_ name: String) -> String {
        name.map { $0.isUppercase ? "_\($0.lowercased())" : String($0) }.joined()
    }

    static func json(_ value: some Encodable, _ status: HTTPResponse.Status = .ok) throws -> Response {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return Response(
            status: status, headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: try encoder.encode(value))))
    }
}

extension Request {
    /// The address at which the client reached this server, as the client or its proxy states it. Only this client
    /// receives it.
    var origin: String {
        let isEncrypted = headers[.forwardedProto]?.lowercased() == "https"
        return "\(isEncrypted ? "https" : "http")://\(head.authority ?? "localhost")"
    }
}

extension HTTPField.Name {
    fileprivate static let forwardedProto = HTTPField.Name("X-Forwarded-Proto")!
}
