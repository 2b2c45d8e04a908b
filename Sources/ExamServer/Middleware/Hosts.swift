import Foundation
import HTTPTypes
import Hummingbird

/// By which names a server is asked for.
///
/// A page of anybody's can have its own name lead to this machine (DNS rebinding), and ask as if it were this server's page. Where
/// everybody is let in without a token, the name is all that tells them apart.
struct Hosts: Sendable {
    /// Without port, in lower case; nil: any.
    private let names: Set<String>?

    init(_ settings: ServerSettings) {
        let own = settings.nodeURL.flatMap { URLComponents(string: $0)?.host?.lowercased() }
        let named = settings.allowedHosts.union(own.map { [$0] } ?? [])
        if settings.development {
            names = named.union(["localhost", "127.0.0.1", "[::1]"])
        } else {
            names = settings.allowedHosts.isEmpty ? nil : named
        }
    }

    /// - Parameter authority: `localhost:8080`, as `Host` has it.
    func admit(_ authority: String) -> Bool {
        guard let names else { return true }
        let text = authority.lowercased()
        let name = text.hasPrefix("[") ? text.prefix { $0 != "]" } + "]" : text.prefix { $0 != ":" }
        return names.contains(String(name))
    }
}

/// Asks for the name before anything else does.
struct HostCheck: RouterMiddleware {
    let hosts: Hosts

    func handle(
        _ request: Request, context: ServerContext, next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        guard hosts.admit(request.head.authority ?? "") else {
            throw APIProblem(
                .misdirectedRequest, "other-host", "Wrong host", "This server does not go by this name.")
        }
        return try await next(request, context)
    }
}
