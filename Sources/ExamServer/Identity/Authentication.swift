public import Foundation
import Hummingbird
import Logging

/// Identifies a request's caller by `Authorization: Bearer …`. Routes that need a user call
/// `ServerContext.requireUser`.
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
            // Only the operator learns the reason, so that a client cannot probe tokens.
            metrics.add(.signInFailures, label: "reason=\"\(error.rawValue)\"")
            context.logger.info("sign-in refused", metadata: ["reason": "\(error.rawValue)"])
            throw APIProblem.noToken
        }
        return try await next(request, context)
    }
}

/// The ways to sign in.
public enum SignIn: Sendable {
    /// Callers need a token signed by one of these keys.
    case tokens(TokenKeys)
    /// Every caller is the same user, for a laptop. `oracy-server` allows it on loopback only, and prints a clear
    /// warning.
    case development

    /// The id of the only user in development.
    public static let developer = UUID(uuidString: "00000000-0000-4000-8000-000000000001")!

    /// The only caller in development: learner, marker and teacher in one, so that all features for schools can be
    /// tried.
    static let everybody = Caller(user: developer, roles: [.marker, .teacher], groups: ["development"])

    /// Returns the caller.
    ///
    /// - Returns: nil without a token: some routes need none.
    /// - Throws: an error if there is a token that this server does not accept.
    func caller(of authorization: String?) async throws(TokenRefusal) -> Caller? {
        switch self {
        case .development: return Self.everybody
        case .tokens(let keys):
            guard let authorization else { return nil }
            let words = authorization.split(separator: " ", maxSplits: 1)
            // Other schemes are handled by other routes. A live token also uses this scheme, and is checked by the
            // routes that it opens.
            guard words.count == 2, words[0].lowercased() == "bearer" else { throw .otherScheme }
            return try await keys.caller(of: String(words[1]))
        }
    }
}
