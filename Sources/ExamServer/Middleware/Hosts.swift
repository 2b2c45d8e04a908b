import ExamNode
import Foundation
import HTTPTypes
import Hummingbird

/// The host names accepted by a server.
///
/// A malicious page can make its own host name point to this machine (DNS rebinding) and send requests as if it were
/// this server's page. If the server needs no token, only the host name distinguishes the two.
struct Hosts: Sendable {
    /// The names without port, in lower case. Nil for any name.
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

    /// Returns whether a host is accepted.
    ///
    /// - Parameter authority: `localhost:8080`, as in `Host`.
    func admit(_ authority: String) -> Bool {
        guard let names else { return true }
        let text = authority.lowercased()
        let name = text.hasPrefix("[") ? text.prefix { $0 != "]" } + "]" : text.prefix { $0 != ":" }
        return names.contains(String(name))
    }
}

extension ServerSettings {
    var hosts: Hosts { Hosts(self) }
}

/// Checks the host before any other middleware.
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
