import ExamNode
import HTTPTypes
import Hummingbird

/// Refuses changes by pages of other sites if the server needs no token.
///
/// Any page that the developer visits can send a form to this machine. With tokens that is harmless, since the page has
/// none. Browsers state a page's origin in every request that is not a GET or HEAD; other programs state none.
struct ForeignPages: RouterMiddleware {
    private let settings: ServerSettings

    init(_ settings: ServerSettings) { self.settings = settings }

    func handle(
        _ request: Request, context: ServerContext, next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        let changes = ![.get, .head, .options].contains(request.method)
        guard !settings.development || !changes || settings.admits(request.headers[.origin], at: request.head.authority)
        else {
            throw APIProblem(
                .forbidden, "other-origin", "Another site's page",
                "In development only this server's own page and origins of --allow-origin may change anything.")
        }
        return try await next(request, context)
    }
}

extension ServerSettings {
    /// Returns whether a page of an origin may use this server.
    ///
    /// - Parameters:
    ///   - origin: `https://exams.example.org`, as in `Origin`. Nil if the client is not a browser.
    ///   - host: the host name in the request, as in `Host`.
    func admits(_ origin: String?, at host: String?) -> Bool {
        guard let origin = origin?.lowercased() else { return true }
        let own = host.map { ["http://\($0.lowercased())", "https://\($0.lowercased())"] } ?? []
        return own.contains(origin) || allowedOrigins.contains(origin)
    }
}
