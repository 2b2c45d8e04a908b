public import Foundation
import Hummingbird
import Logging

/// Finds out whose request it is, from `Authorization: Bearer …`; routes that need a user ask `ServerContext.requireUser`.
struct Authentication: RouterMiddleware {
    let signIn: SignIn
    let metrics: ServerMetrics

    func handle(
        _ request: Request, context: ServerContext, next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        do throws(TokenRefusal) {
            context.caller = try await signIn.caller(of: request.headers[.authorization])
        } catch {
            // The reason is for the operator; a client that tries tokens learns nothing.
            metrics.add(.signInFailures, label: "reason=\"\(error.rawValue)\"")
            context.logger.info("sign-in refused", metadata: ["reason": "\(error.rawValue)"])
            throw APIProblem.noToken
        }
        return try await next(request, context)
    }
}

/// Who may use a server.
public enum SignIn: Sendable {
    /// Anyone with a token signed by one of these keys.
    case tokens(TokenKeys)
    /// Everybody, as one and the same user: for a laptop. `oracy-server` allows it on loopback only, and says so loudly.
    case development

    /// Everybody's id in development.
    public static let developer = UUID(uuidString: "00000000-0000-4000-8000-000000000001")!

    /// Everybody in development: learner, marker and teacher in one, so that all of a school can be tried.
    static let everybody = Caller(user: developer, roles: [.marker, .teacher], groups: ["development"])

    /// - Returns: nil where there is no token: some routes need none.
    /// - Throws: where there is one that this server does not accept.
    func caller(of authorization: String?) async throws(TokenRefusal) -> Caller? {
        switch self {
        case .development: return Self.everybody
        case .tokens(let keys):
            guard let authorization else { return nil }
            let words = authorization.split(separator: " ", maxSplits: 1)
            // Other schemes are other routes' business: a live token has this one, too, and is looked at where it opens something.
            guard words.count == 2, words[0].lowercased() == "bearer" else { throw .otherScheme }
            return try await keys.caller(of: String(words[1]))
        }
    }
}
