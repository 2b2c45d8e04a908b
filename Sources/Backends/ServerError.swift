import Foundation
import HTTPClient
import UploadQueue

/// What a service says is wrong, in one shape whichever service it was.
struct ServerError: Equatable {
    /// The services differ in where the truth stands.
    enum Service: String, CaseIterable {
        case postgrest, storage, tus, auth, s3, plain
    }

    var service: Service
    /// The real one: Storage's is in the body, beside an HTTP 400 for nearly everything (wire-contracts 3).
    var status: Int
    /// The service's own: `23505`, `PGRST303`, `KeyAlreadyExists`, `session_expired`; empty where it has none.
    var code: String
    /// Without keys, tokens and the like (`RedactedText`).
    var message: String
    /// PostgREST's: which row is missing in which table, say; not for people.
    var details = ""
    /// `x-should-retry`, where a server has an opinion.
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
            // The resumable part has words, or JSON as the rest of storage.
            guard let fields = (try? JSONSerialization.jsonObject(with: Data(response.body))) as? [String: Any] else {
                message = body
                break
            }
            read(fields)
        }
        // Pages of gateways and hotels: nobody wants their markup in a list of uploads.
        message = message.hasPrefix("<") ? "a page in HTML" : RedactedText.of(message)
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
            // With `X-Supabase-Api-Version` the code is in `code`; without it that is the status, and older servers
            // have OAuth's words (wire-contracts 5).
            code = text("code", "error_code", "error")
            message = text("message", "msg", "error_description")
        default:
            code = text("code")
            message = text("message", "error", "msg", "detail")
            details = text("details")
        }
    }

    /// What stands between an element's tags: S3's errors have no nesting.
    private static func element(_ name: String, in text: String) -> String {
        guard let start = text.range(of: "<\(name)>"),
            let end = text.range(of: "</\(name)>", range: start.upperBound..<text.endIndex)
        else { return "" }
        return String(text[start.upperBound..<end.lowerBound])
    }

    /// A gateway's word about the key that names the application: no user's signing in changes it.
    var refusesKey: Bool {
        status == 401 && ErrorTable.supabase.contains(service)
            && ErrorTable.keyWords.contains { message.lowercased().contains($0) }
    }

    /// `409/23505`, `503`.
    var label: String { code.isEmpty || code == String(status) ? String(status) : "\(status)/\(code)" }
}

extension ServerError {
    func failure(_ kind: DeliveryFailure.Kind) -> DeliveryFailure {
        let words = refusesKey ? "the project refuses its key: \(message)" : message
        return DeliveryFailure(kind, code: label, message: words, retryAfter: retryAfter)
    }

    /// The failure where nothing that could mend it is left to try.
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
