import Synchronization
import SystemSupport

/// Exchanges requests for answers over the network: libcurl on one thread of its own, however many exchanges are under way.
///
/// It speaks HTTP/1.1, and HTTP/2 where TLS agrees on it; keeps connections and uses them again; takes proxies from the
/// environment as libcurl does (`http_proxy`, `https_proxy`, `all_proxy`, `no_proxy`); follows no redirect; and always
/// verifies certificates: there is no switch. It may be used from any thread, by any number of tasks.
///
/// **A request may reach the server twice.** When a connection that was used before breaks with no byte of an answer, libcurl
/// sends the request once more on a new one, since servers close idle connections at any time. What is sent through here
/// therefore has to have the effect of having been sent once, as everything of the queue does.
public final class CurlClient: HTTPExchanging, Sendable {
    /// What servers are told of this program.
    public static let userAgent = "oracy/\(OracyVersion.text)"

    private let mailbox: Mailbox
    private let timeout: Duration

    /// How long a file's bytes may take, as long as they get on.
    private static let longestFile = Duration.seconds(600)

    /// - Parameters:
    ///   - certificates: a file of certificates (PEM) of authorities that are trusted beside the system's, for a private one. A file
    ///     that cannot be read makes every exchange over TLS fail as `untrusted`.
    ///   - timeout: of an exchange from its beginning to its end, where its limits do not say (V10).
    public init(certificates: String? = nil, timeout: Duration = .seconds(15)) {
        self.timeout = timeout
        mailbox = CurlLoop.start(certificates: certificates)
    }

    deinit { mailbox.close() }

    /// - Parameter sent: told how many bytes of the body have left this machine, on the client's thread, at most ten times a
    ///   second and once more at the end; it never goes down. It must not block: all exchanges would wait for it.
    /// - Throws: `HTTPFailure`. A cancelled task's connection is closed at once.
    public func exchange(
        _ request: HTTPRequest, limits: HTTPLimits, sent: @escaping @Sendable (Int) -> Void
    ) async throws(HTTPFailure) -> HTTPResponse {
        let ticket = Ticket()
        var limits = limits
        if limits.total == nil {
            if case .file = request.body { limits.total = Self.longestFile } else { limits.total = timeout }
        }
        let settled = limits
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                mailbox.post(
                    .begin(
                        Order(ticket: ticket, request: request, limits: settled, sent: sent, continuation: continuation)
                    )
                )
            }
        } onCancel: {
            ticket.isCancelled.store(true, ordering: .releasing)
            mailbox.post(.cancel(ticket))
        }
        return try outcome.get()
    }
}

extension HTTPExchanging {
    /// Exchanges without reports.
    public func exchange(
        _ request: HTTPRequest, limits: HTTPLimits = HTTPLimits()
    ) async throws(HTTPFailure) -> HTTPResponse {
        try await exchange(request, limits: limits) { _ in }
    }
}
