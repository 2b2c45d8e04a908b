import Foundation
public import HTTPTypes
public import Hummingbird

/// What was wrong with a request, as a problem document (RFC 9457): thrown by routes, seen by clients.
///
/// ```json
/// {"type":"/problems/no-such-session","title":"No such session","status":404,"detail":"You have no session with this id."}
/// ```
///
/// The last part of the type is the error's code, for programs; title and detail are for people, in plain words. Nothing of another
/// user's, no path of this machine and no value of a secret ever stands in one.
public struct APIProblem: HTTPResponseError {
    public var status: HTTPResponse.Status
    /// Lower case, words joined by hyphens.
    public var code: String
    /// Always the same for a code; one sentence without its full stop.
    public var title: String
    /// About this request: what is wrong, with the field, and what to do.
    public var detail: String
    /// Seconds, for 429 and 503.
    public var retryAfter: Int?
    /// Of the answer, beside those that every problem has.
    public var headers: HTTPFields
    /// The request it answers, as the log has it.
    var requestID: String?

    public init(
        _ status: HTTPResponse.Status, _ code: String, _ title: String, _ detail: String, retryAfter: Int? = nil,
        headers: HTTPFields = [:]
    ) {
        self.status = status
        self.code = code
        self.title = title
        self.detail = detail
        self.retryAfter = retryAfter
        self.headers = headers
    }

    public func response(from request: Request, context: some RequestContext) throws -> Response {
        var headers = headers
        headers[.contentType] = "application/problem+json"
        headers[.cacheControl] = "no-store"
        if let retryAfter { headers[.retryAfter] = String(retryAfter) }
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: document)))
    }

    /// The document itself.
    public var document: [UInt8] {
        struct Document: Encodable {
            var type, title: String
            var status: Int
            var detail: String
            var requestId: String?
        }
        let document = Document(
            type: "/problems/\(code)", title: title, status: status.code, detail: detail, requestId: requestID)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array((try? encoder.encode(document)) ?? Data())
    }
}

extension APIProblem {
    static let noToken = APIProblem(
        .unauthorized, "no-token", "Sign in", "This needs a valid bearer token.", headers: [.wwwAuthenticate: "Bearer"])

    /// For what is not there and for what is somebody else's alike: a stranger learns nothing.
    static func missing(_ what: String) -> APIProblem {
        APIProblem(.notFound, "not-found", "Not found", "You have no \(what) with this id.")
    }

    /// For whom a token does not say that they are such.
    static func notFor(_ role: Role) -> APIProblem {
        APIProblem(
            .forbidden, "not-your-role", "Not your role", "This is for those whose token has the role \(role.rawValue)."
        )
    }

    static func malformed(_ detail: String) -> APIProblem {
        APIProblem(.badRequest, "malformed", "Invalid request", detail)
    }

    /// Each field may be so, but not all of them together.
    static func contradictory(_ detail: String) -> APIProblem {
        APIProblem(.unprocessableContent, "contradictory", "Contradictory request", detail)
    }

    static let fault = APIProblem(
        .internalServerError, "fault", "Server fault",
        "Something failed on the server. Nothing that was stored is lost.")

    static let busy = APIProblem(
        .serviceUnavailable, "unavailable", "Temporarily unavailable",
        "The server cannot reach its database or its storage.",
        retryAfter: 5)
}
