import Foundation
public import HTTPClient
import SystemSupport
public import UploadQueue

/// Delivers to S3-compatible storage by addresses that an API signs for each recording (C14, `SignedURLRoutes`).
///
/// The API has no place for what is known of a session: that stage only asks whether the quota has room for one. An address
/// is as good as a password while it lasts, so it stands in no note, no error and no log; a note keeps the object's key once
/// the object is there, and the next attempt needs only to say so.
public struct SignedURLUploader: Uploader {
    public let place: String
    private let routes: SignedURLRoutes
    private let user: String
    private let template: String
    private let client: any HTTPExchanging
    private let token: BearerToken
    /// Larger recordings are refused before anything is sent: 10 MB (C4), bytes.
    public var largest = 10_000_000

    /// - Parameters:
    ///   - url: where the API lives.
    ///   - user: `user_id`, as the API knows the person.
    ///   - template: `template_id` of exams that were sat without a template (C15).
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

    /// - Throws: `transient` where the quota is used up, since it will have room again; the rest is `ErrorTable`'s.
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
            // 409: it is being evaluated already, because of an attempt whose answer was lost.
            guard response.isDone || response.status == 409 else { throw Self.failure(response) }
        }
    }

    /// The one that was sat, and for exams of this machine the one that was set up.
    private func template(of upload: Upload) -> String { upload.session.template?.name ?? template }

    private func askForRoom() async throws(DeliveryFailure) {
        let request = HTTPRequest("GET", routes.quota(user: user), headers: try await client.headers(token))
        let response = try await client.answer(to: request)
        // Not every API has quotas.
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
            // The object has gone since, or the key is no longer known: all over again.
            guard [404, 410].contains(response.status) else { throw Self.failure(response) }
            try courier.keep(nil)
        }
        guard file.byteCount <= largest else {
            throw DeliveryFailure(
                .refused, code: "file too large",
                message: "\(file.path) has \(file.byteCount) bytes; this destination takes \(largest)")
        }
        let key = try await store(file, place, sent: courier.sent)
        try courier.keep(key)
        let response = try await tell(upload, place, key: key)
        guard response.isDone else { throw Self.failure(response) }
    }

    /// Puts the bytes into the storage; an address that has expired meanwhile is asked for again, once.
    ///
    /// - Returns: the object's key.
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
            // A new address that is too old as well: one of the clocks is wrong, and clocks are set right.
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
        // The reference server's words at the end of a session: "monthly test limit reached".
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
    /// Other storages' words for an address that is too old: 410, as nginx has it, or S3's code with another status.
    fileprivate var isExpired: Bool { status == 410 || code == "ExpiredToken" }
}
