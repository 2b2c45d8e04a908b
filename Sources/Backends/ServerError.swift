import Foundation
import HTTPClient
import UploadQueue

/// A service's error in one form for all services.
struct ServerError: Equatable {
    /// The services. They differ in the place of the real status and code.
    enum Service: String, CaseIterable {
        case postgrest, storage, tus, auth, s3, plain
    }

    var service: Service
    /// The real status. Storage has it in the body, and answers nearly everything with HTTP 400.
    var status: Int
    /// The service's own code: `23505`, `PGRST303`, `KeyAlreadyExists`, `session_expired`; empty if the answer has
    /// none.
    var code: String
    /// The message without keys, tokens and the like (`RedactedText`).
    var message: String
    /// PostgREST's details, such as the missing row and its table. Not for people.
    var details = ""
    /// The value of `x-should-retry`, if the server sends it.
    var shouldRetry: Bool?
    var retryAfter: Duration?

    init(_ service: Service, _ response: HTTPResponse) {
        self.service = service
        status = response.status
        (code, message) = ("", "")
        retryAfter = RetryAfter.read(response.headers)
        shouldRetry = response.headers["x-should-retry"].flatMap(Bool.init)
        let body = response.text.trimmed
        switch service {
        case .s3:
            code = Self.element("Code", in: body)
            message = Self.element("Message", in: body)
        case .postgrest, .storage, .tus, .auth, .plain:
            // The resumable part answers with plain text, or with JSON like the rest of storage.
            guard let fields = (try? JSONSerialization.jsonObject(with: Data(response.body))) as? [String: Any] else {
                message = body
                break
            }
            read(fields)
        }
        // The pages of gateways and hotels. Their markup would be useless in a list of uploads.
        message = message.hasPrefix("<") ? "an HTML page" : RedactedText.of(message)
        code = RedactedText.of(code)
    }

    private mutating func read(_ fields: [String: Any]) {
        func text(_ names: String...) -> String {
            names.lazy.compactMap { fields[$0] as? String }.first { !$0.isEmpty } ?? ""
        }
        switch service {
        case .storage, .tus:
            status = Int(text("statusCode")) ?? fields["statusCode"] as? Int ?? status
            code = text("code", "error")
            message = text("message", "error")
        case .auth:
            // With `X-Supabase-Api-Version` the code is in `code`. Without it `code` is the status, and older servers
            // use OAuth's names.
            code = text("code", "error_code", "error")
            message = text("message", "msg", "error_description")
        default:
            code = text("code")
            message = text("message", "error", "msg", "detail")
            details = text("details")
        }
    }

    /// Returns the text of an element. S3's errors aren't nested.
    private static func element(_ name: String, in text: String) -> String {
        guard let start = text.range(of: "<\(name)>"),
            let end = text.range(of: "</\(name)>", range: start.upperBound..<text.endIndex)
        else { return "" }
        return String(text[start.upperBound..<end.lowerBound])
    }

    /// Whether a gateway refuses the key that identifies the application. No user's sign-in changes that.
    var refusesKey: Bool {
        status == 401 && ErrorTable.supabase.contains(service)
            && ErrorTable.keyWords.contains { message.lowercased().contains($0) }
    }

    /// The label for logs: `409/23505`, `503`.
    var label: String { code.isEmpty || code == String(status) ? String(status) : "\(status)/\(code)" }
}

extension ServerError {
    func failure(_ kind: DeliveryFailure.Kind) -> DeliveryFailure {
        let words = refusesKey ? "the project refuses the key: \(message)" : message
        return DeliveryFailure(kind, code: label, message: words, retryAfter: retryAfter)
    }

    /// Returns the failure if nothing is left to try.
    func failure(because verdict: ErrorTable.Verdict) -> DeliveryFailure {
        switch verdict {
        case .failed(let kind): failure(kind)
        case .refreshToken: failure(.signInNeeded)
        case .alreadyThere, .onceMore: failure(.refused)
        }
    }
}

extension DeliveryFailure {
    init(_ failure: HTTPFailure) {
        self.init(
            ErrorTable.kind(failure.kind), code: failure.code == 0 ? failure.kind.rawValue : "curl \(failure.code)",
            message: RedactedText.of(failure.sentence))
    }
}
