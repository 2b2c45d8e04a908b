import HTTPClient
import UploadQueue

/// Puts answers into a folder of a WebDAV server: Nextcloud, ownCloud, Apache, or any other that accepts `PUT`.
///
///     <folder>/<session>-part1_q1.opus
///     <folder>/<session>-complete.txt       last, when all answers are there
///
/// A `PUT` replaces an existing file, so a delivery may be repeated after a crash, or if a reply was lost. The queue
/// requires nothing more.
struct WebDAVUploader: Uploader {
    /// `https://cloud.example.org/remote.php/dav/files/ann/exams`
    let folder: String
    /// The header's value: `Basic …` or `Bearer …`. Never printed.
    let authorization: String?
    private let client = CurlClient()

    init(folder: String, authorization: String? = nil) {
        self.folder = folder
        self.authorization = authorization
    }

    /// For messages and logs.
    var place: String { folder }

    func deliver(_ upload: Upload, with courier: Courier) async throws(DeliveryFailure) {
        let name = "\(folder)/\(upload.session.id.uuidString.lowercased())"
        switch upload.content {
        case .session: break  // The names of its answers contain the session.
        case .answer(let answer, let file):
            let suffix = file.mediaType == "audio/ogg" ? "opus" : "wav"
            try await put(
                "\(name)-\(answer.name).\(suffix)", file.mediaType,
                .file(path: file.path, offset: 0, byteCount: file.byteCount), courier)
        case .completion:
            try await put("\(name)-complete.txt", "text/plain", .bytes(Array("complete\n".utf8)), courier)
        case .submission:
            throw DeliveryFailure(.refused, code: "no-quizzes", message: "\(folder) takes no quizzes")
        }
    }

    /// Uploads a file, and returns when the server confirms it.
    private func put(
        _ url: String, _ mediaType: String, _ body: HTTPRequest.Body, _ courier: Courier
    ) async throws(DeliveryFailure) {
        var headers = [("Content-Type", mediaType)]
        if let authorization { headers.append(("Authorization", authorization)) }
        let answer: HTTPResponse
        do {
            answer = try await client.exchange(
                HTTPRequest("PUT", url, headers: headers, body: body), limits: HTTPLimits(), sent: courier.sent)
        } catch {
            throw DeliveryFailure(kind(of: error), code: error.kind.rawValue, message: error.sentence)
        }
        switch answer.status {
        case 200..<300: return
        // The queue's next step depends only on the kind: wait, wait for a person, or try again.
        case 401, 403: throw DeliveryFailure(.signInNeeded, code: "\(answer.status)")
        case 408, 423, 425, 429, 500...: throw DeliveryFailure(.transient, code: "\(answer.status)")
        default: throw DeliveryFailure(.refused, code: "\(answer.status)")
        }
    }

    private func kind(of failure: HTTPFailure) -> DeliveryFailure.Kind {
        switch failure.kind {
        case .cancelled: .cancelled
        case .timeout: .timedOut
        case .networkUnavailable: .unreachable
        case .unreadable: .fileMissing
        case .connectionLost, .untrusted, .malformed, .invalidURL, .unknown: .transient
        }
    }
}
