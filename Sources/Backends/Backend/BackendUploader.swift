import BackendAPI
import ExamCore
import Foundation
public import HTTPClient
public import UploadQueue

/// Delivers to an Oracy backend by the routes of `BackendRoutes`.
public struct BackendUploader: Uploader {
    public let place: String
    private let routes: BackendRoutes
    private let client: any HTTPExchanging
    private let token: BearerToken

    /// - Parameter url: The backend's address: `https://exams.example.org/api`.
    public init(url: String, client: any HTTPExchanging, token: @escaping BearerToken) {
        place = url
        routes = BackendRoutes(base: url)
        self.client = client
        self.token = token
    }

    public func deliver(_ upload: Upload, with courier: Courier) async throws(DeliveryFailure) {
        switch upload.content {
        case .session:
            try await put(SessionRow(upload.session), to: routes.session(upload))
        case .answer(let facts, let file):
            try await deliver(upload, facts, file, with: courier)
        case .completion(let facts):
            try await put(CompletionRow(upload, facts), to: routes.completion(upload))
        case .submission(let body):
            do throws(DeliveryFailure) {
                try await send("POST", Array(body.utf8), to: routes.submission(upload.session.id))
            } catch {
                guard upload.isOwnQuiz, error.code == Self.notFound else { throw error }
                try await send("POST", NewSubmissionRow(id: upload.session.id).json(), to: routes.submissions)
                try await send("POST", Array(body.utf8), to: routes.submission(upload.session.id))
            }
        }
    }

    /// The code of a failure if the backend does not have the requested thing.
    private static let notFound = "404/not-found"

    /// Delivers an answer: first its recording, then its row. The note holds the digest of a recording that has
    /// arrived, so that it isn't sent again if only the PUT of the row failed. While a large recording is being sent,
    /// the note holds the place of its upload.
    private func deliver(
        _ upload: Upload, _ facts: AnswerRecord, _ file: UploadFile, with courier: Courier
    ) async throws(DeliveryFailure) {
        if courier.note != file.sha256 {
            if try await !LargeRecording(file, upload, routes, client, token).arrives(with: courier) {
                try await put(file, to: routes.recording(upload), sent: courier.sent)
            }
            try courier.keep(file.sha256)
        }
        let path = facts.objectPath(session: upload.session.id, suffix: file.suffix)
        do throws(DeliveryFailure) {
            try await put(AnswerRow(upload, facts, file, path: path), to: routes.answer(upload))
        } catch {
            // The note says that the recording has arrived. A backend that was restored from a backup may lack it all
            // the same.
            if error.kind == .parentMissing { try courier.keep(nil) }
            throw error
        }
    }

    private func put(_ row: some Encodable, to url: String) async throws(DeliveryFailure) {
        try await send("PUT", row.json(), to: url)
    }

    private func send(_ method: String, _ body: [UInt8], to url: String) async throws(DeliveryFailure) {
        let request = HTTPRequest(
            method, url, headers: try await headers + [("Content-Type", "application/json")], body: .bytes(body))
        let response = try await client.answer(to: request)
        guard response.isDone else { throw Self.failure(response) }
    }

    private func put(
        _ file: UploadFile, to url: String, sent: @escaping @Sendable (Int) -> Void
    ) async throws(DeliveryFailure) {
        guard let digest = ReprDigest(sha256: file.sha256) else {
            throw DeliveryFailure(.refused, message: "\(file.path): its SHA-256 is not 64 hexadecimal digits")
        }
        try file.hasItsLength()
        let request = HTTPRequest(
            "PUT", url,
            headers: try await headers + [("Content-Type", file.mediaType), ("Repr-Digest", digest.field)],
            body: .file(path: file.path, offset: 0, byteCount: file.byteCount))
        let response = try await client.answer(to: request, sent: sent)
        let there = response.headers["repr-digest"].flatMap(ReprDigest.init(field:))
        let isOurs = there == nil ? nil : there == digest
        switch (response.status, isOurs) {
        case (_, nil) where response.isDone, (_, true) where response.isDone, (409, true):
            return
        case (412, _), (422, _), (200...299, false):
            // The recording was damaged on its way, or on this disk. In the second case it would stay damaged.
            try await file.check()
            throw Self.failure(
                response, as: .transient, "the recording was damaged in transit and is sent again")
        default:
            throw Self.failure(response)
        }
    }

    private var headers: [(String, String)] {
        get async throws(DeliveryFailure) {
            try await client.headers(token) + [("Accept", "application/json, application/problem+json")]
        }
    }

    static func failure(
        _ response: HTTPResponse, as kind: DeliveryFailure.Kind? = nil, _ message: String = ""
    ) -> DeliveryFailure {
        var error = ServerError(.plain, response)
        if let problem = ProblemDetails(response) {
            error.code = problem.code
            error.message = RedactedText.of(problem.message)
        }
        if !message.isEmpty { error.message = error.message.isEmpty ? message : "\(message) (\(error.message))" }
        if let kind { return error.failure(kind) }
        if error.code == BackendRoutes.parentMissing, [404, 409].contains(error.status) {
            return error.failure(.parentMissing)
        }
        return error.failure(because: ErrorTable.verdict(error))
    }
}
