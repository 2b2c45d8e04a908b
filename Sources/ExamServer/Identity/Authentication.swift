import ExamNode
public import Foundation
import Hummingbird
import Logging

/// Identifies a request's caller by `Authorization: Bearer …`, or by the cookie of a member of a class or of a person of
/// a school. Routes that need a user call `ServerContext.requireUser`.
struct Authentication: RouterMiddleware {
    let signIn: SignIn
    /// Nil on servers without accounts of their own.
    let desk: (any BrowserDesk)?
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
        // A cookie counts only without a token, because browsers send cookies with every request.
        guard let desk, context.caller == nil, request.headers[.authorization] == nil,
            let token = desk.token(in: request.headers)
        else { return try await next(request, context) }
        if ![.get, .head, .options].contains(request.method) {
            try desk.requireOwnPage(request.headers, at: request.head.authority)
        }
        let signed = try await desk.caller(by: token)
        context.caller = signed?.caller
        (context.school, context.wasSignedOut) = (signed?.school, signed == nil)
        context.isMember = signed != nil && signed?.school == nil
        var response = try await next(request, context)
        // A route that signs in or out has set the cookie itself.
        if let renewal = signed?.renewal, response.headers[.setCookie] == nil { response.headers.append(renewal) }
        return response
    }
}

/// The ways to sign in.
public enum SignIn: Sendable {
    /// Callers need a token signed by one of these keys.
    case tokens(TokenKeys)
    /// Members of classes sign in with a name and a PIN, and their browsers keep a cookie. Other callers need a token
    /// signed by one of the keys, if there are any.
    case classes(ClassAccounts, tokens: TokenKeys? = nil)
    /// People sign in with the account that their school gave them, and their browsers keep a cookie. Other callers
    /// need a token signed by one of the keys, if there are any.
    case schools(SchoolAccounts, tokens: TokenKeys? = nil)
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
    /// - Returns: nil if there is no token: some routes need none.
    /// - Throws: an error if there is a token that this server does not accept.
    func caller(of authorization: String?) async throws(TokenRefusal) -> Caller? {
        switch self {
        case .development: return Self.everybody
        case .tokens(let keys), .classes(_, let keys?), .schools(_, let keys?):
            guard let authorization else { return nil }
            let words = authorization.split(separator: " ", maxSplits: 1)
            // Other schemes are handled by other routes. A live token also uses this scheme, and is checked by the
            // routes that it opens.
            guard words.count == 2, words[0].lowercased() == "bearer" else { throw .otherScheme }
            return try await keys.caller(of: String(words[1]))
        case .classes(_, nil), .schools(_, nil):
            guard authorization == nil else { throw .unknownKey }
            return nil
        }
    }

    /// The accounts of this server's own. Nil if it has none.
    var accounts: ClassAccounts? {
        if case .classes(let accounts, _) = self { accounts } else { nil }
    }

    /// The schools whose people may sign in. Nil if there are none.
    var schools: SchoolAccounts? {
        if case .schools(let schools, _) = self { schools } else { nil }
    }

    /// Whether callers may use tokens.
    var takesTokens: Bool {
        switch self {
        case .tokens, .classes(_, _?), .schools(_, _?): true
        case .development, .classes(_, nil), .schools(_, nil): false
        }
    }
}
