import Synchronization
import SystemSupport

/// Exchanges requests for answers over the network: libcurl on a single thread for any number of exchanges.
///
/// It speaks HTTP/1.1, and HTTP/2 if TLS negotiates it. It keeps connections and reuses them, and takes proxies from
/// the environment like libcurl (`http_proxy`, `https_proxy`, `all_proxy`, `no_proxy`). It follows no redirects. It
/// always verifies certificates; there is no way to turn that off. Any number of tasks may use it, from any thread.
///
/// **A request may reach the server twice.** If a reused connection breaks before a byte of the answer has arrived,
/// libcurl sends the request again on a new one, since servers close idle connections at any time. A repeated request
/// must therefore have the effect of a single one. All requests of the queue do.
public final class CurlClient: HTTPExchanging, Sendable {
    /// The name that servers receive.
    public static let userAgent = "oracy/\(OracyVersion.text)"

    private let mailbox: Mailbox
    private let timeout: Duration

    /// The limit for sending a file, as long as it makes progress.
    private static let longestFile = Duration.seconds(600)

    /// - Parameters:
    ///   - certificates: A PEM file with certificates of authorities to trust besides the system's, such as a private
    ///     one. If it can't be read, every exchange over TLS fails as `untrusted`.
    ///   - timeout: The limit for a whole exchange if `HTTPLimits` sets none.
    public init(certificates: String? = nil, timeout: Duration = .seconds(15)) {
        self.timeout = timeout
        mailbox = CurlLoop.start(certificates: certificates)
    }

    deinit { mailbox.close() }

    /// Exchanges a request for an answer.
    ///
    /// - Parameter sent: Called with the number of bytes of the body that have left this machine, on the client's
    ///   thread, at most ten times a second and once more at the end. The number never decreases. The function must not
    ///   block, because all exchanges would wait for it.
    /// - Throws: `HTTPFailure`. If the task is cancelled, its connection is closed at once.
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
    /// Exchanges a request for an answer, without reports.
    public func exchange(
        _ request: HTTPRequest, limits: HTTPLimits = HTTPLimits()
    ) async throws(HTTPFailure) -> HTTPResponse {
        try await exchange(request, limits: limits) { _ in }
    }
}
