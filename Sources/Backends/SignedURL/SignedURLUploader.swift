import Foundation
public import HTTPClient
import SystemSupport
public import UploadQueue

/// Delivers to S3-compatible storage by addresses that an API signs for each recording (`SignedURLRoutes`).
///
/// The API has no place for facts about a session. That stage only checks whether the quota has room for one. A signed
/// address is as good as a password while it lasts, so it never appears in a note, an error or a log. The note keeps
/// the object's key once the object is there. The next attempt then only has to report it.
public struct SignedURLUploader: Uploader {
    public let place: String
    private let routes: SignedURLRoutes
    private let user: String
    private let template: String
    private let client: any HTTPExchanging
    private let token: BearerToken
    /// The limit for recordings in bytes: 10 MB. Larger ones are refused before anything is sent.
    public var largest = 10_000_000

    /// - Parameters:
    ///   - url: The address of the API.
    ///   - user: The `user_id` by which the API knows the person.
    ///   - template: The `template_id` for exams that were taken without a template.
    public init(
        url: String, user: String, template: String, client: any HTTPExchanging, token: @escaping BearerToken
    ) {
        place = url
        routes = SignedURLRoutes(api: url)
        self.user = user
        self.template = template
        self.client = client
        self.token = token
    }

    /// - Throws: `transient` if the quota is used up, since it will have room again; otherwise as `ErrorTable` says.
    public func deliver(_ upload: Upload, with courier: Courier) async throws(DeliveryFailure) {
        switch upload.content {
        case .session:
            try await askForRoom()
        case .answer(let facts, let file):
            try await deliver(upload, SignedURLRoutes.Place(user: user, upload, facts, file), file, with: courier)
        case .submission: throw .noQuizzes(at: place)
        case .completion:
            let evaluation = SignedURLRoutes.Evaluation(
                sessionId: upload.session.id.name, userId: user, templateId: template(of: upload))
            let response = try await post(evaluation, to: routes.evaluate)
            // 409: an earlier attempt, whose answer was lost, already started the evaluation.
            guard response.isDone || response.status == 409 else { throw Self.failure(response) }
        }
    }

    /// Returns the template of the exam, or the configured one for a local exam.
    private func template(of upload: Upload) -> String { upload.session.template?.name ?? template }

    private func askForRoom() async throws(DeliveryFailure) {
        let request = HTTPRequest("GET", routes.quota(user: user), headers: try await client.headers(token))
        let response = try await client.answer(to: request)
        // Some APIs have no quotas.
        if [404, 405, 501].contains(response.status) { return }
        guard response.status == 200, let quota = SignedURLRoutes.read(SignedURLRoutes.Quota.self, response) else {
            throw Self.failure(response)
        }
        if quota.isUsedUp { throw Self.usedUp(quota, response) }
    }

    private func deliver(
        _ upload: Upload, _ place: SignedURLRoutes.Place, _ file: UploadFile, with courier: Courier
    ) async throws(DeliveryFailure) {
        if let key = courier.note {
            let response = try await tell(upload, place, key: key)
            if response.isDone { return }
            // The object has disappeared, or the key is no longer known. Starts over.
            guard [404, 410].contains(response.status) else { throw Self.failure(response) }
            try courier.keep(nil)
        }
        guard file.byteCount <= largest else {
            throw DeliveryFailure(
                .refused, code: "file too large",
                message: "\(file.path) has \(file.byteCount) bytes; this destination takes at most \(largest)")
        }
        let key = try await store(file, place, sent: courier.sent)
        try courier.keep(key)
        let response = try await tell(upload, place, key: key)
        guard response.isDone else { throw Self.failure(response) }
    }

    /// Uploads the bytes to the storage. If the address has expired meanwhile, asks for a new one, once.
    ///
    /// - Returns: The object's key.
    private func store(
        _ file: UploadFile, _ place: SignedURLRoutes.Place, sent: @escaping @Sendable (Int) -> Void
    ) async throws(DeliveryFailure) -> String {
        let checksum = try await file.contentMD5()
        var isRenewed = false
        while true {
            let address = try await address(for: place)
            let request = HTTPRequest(
                "PUT", address.uploadURL,
                headers: [("Content-Type", file.mediaType)] + (checksum.map { [("Content-MD5", $0)] } ?? []),
                body: .file(path: file.path, offset: 0, byteCount: file.byteCount))
            let response = try await client.answer(to: request, sent: sent)
            if response.isDone { return address.key }
            let error = ServerError(.s3, response)
            let verdict = ErrorTable.verdict(error)
            if verdict == .alreadyThere { return address.key }
            guard verdict == .refreshToken || error.isExpired else { throw error.failure(because: verdict) }
            // If a new address is too old as well, a clock is wrong. It will be corrected at some point.
            if isRenewed { throw error.failure(.transient) }
            isRenewed = true
        }
    }

    private func address(for place: SignedURLRoutes.Place) async throws(DeliveryFailure) -> SignedURLRoutes.Address {
        let response = try await post(place, to: routes.generate)
        guard response.status == 200 || response.status == 201 else { throw Self.failure(response) }
        guard let address = SignedURLRoutes.read(SignedURLRoutes.Address.self, response) else {
            throw DeliveryFailure(
                .transient, code: "\(response.status)", message: "the answer has no upload_url and key")
        }
        if let mistake = ServerURL.mistake(in: address.uploadURL) {
            throw DeliveryFailure(.refused, code: "upload_url", message: "the address to upload to \(mistake)")
        }
        return address
    }

    private func tell(
        _ upload: Upload, _ place: SignedURLRoutes.Place, key: String
    ) async throws(DeliveryFailure) -> HTTPResponse {
        try await post(
            SignedURLRoutes.Stored(upload, place, key: key, template: self.template(of: upload)), to: routes.complete)
    }

    private func post(_ value: some Encodable, to url: String) async throws(DeliveryFailure) -> HTTPResponse {
        let headers = try await client.headers(token) + [("Content-Type", "application/json")]
        return try await client.answer(
            to: HTTPRequest("POST", url, headers: headers, body: .bytes(SignedURLRoutes.json(value))))
    }

    private static func failure(_ response: HTTPResponse) -> DeliveryFailure {
        if response.status == 403, let quota = SignedURLRoutes.read(SignedURLRoutes.Quota.self, response),
            quota.isUsedUp
        {
            return usedUp(quota, response)
        }
        let error = ServerError(.plain, response)
        // The reference server's words at the end of a session are "monthly test limit reached".
        let isLimit = error.status == 403 && ["limit", "quota"].contains { error.message.lowercased().contains($0) }
        return isLimit ? error.failure(.transient) : error.failure(because: ErrorTable.verdict(error))
    }

    private static func usedUp(_ quota: SignedURLRoutes.Quota, _ response: HTTPResponse) -> DeliveryFailure {
        DeliveryFailure(
            .transient, code: "\(response.status)/quota", message: RedactedText.of(quota.explanation),
            retryAfter: RetryAfter.read(response.headers) ?? .seconds(3_600))
    }
}

extension ServerError {
    /// Whether the address has expired, in the words of other storages: 410 from nginx, or S3's code with another
    /// status.
    fileprivate var isExpired: Bool { status == 410 || code == "ExpiredToken" }
}
