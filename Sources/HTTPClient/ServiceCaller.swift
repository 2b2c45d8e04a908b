/// Calls a service, up to three times if that may help: after 2 and 4 s, or when the server says.
///
/// The statuses that are retried follow openai 3.52.0 and Azure's documentation: 408, 409, 425, 429 and 5xx, unless
/// `x-should-retry` says otherwise.
public struct ServiceCaller: Sendable {
    /// The number of tries before the service counts as unavailable.
    public static let attempts = 3
    /// A longer wait is left to the caller, who learns when to come back.
    static let longestWait = Duration.seconds(120)

    private let client: any HTTPExchanging
    private let limits: HTTPLimits
    private let sleep: @Sendable (Duration) async throws -> Void

    /// - Parameters:
    ///   - time: The limit for one try. Models take their time.
    ///   - sleep: Replaced in tests.
    public init(
        client: any HTTPExchanging = CurlClient(), time: Duration = .seconds(120), answerBytes: Int = 8 << 20,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.client = client
        var limits = HTTPLimits()
        limits.total = time
        limits.idle = time
        limits.responseBytes = answerBytes
        self.limits = limits
        self.sleep = sleep
    }

    /// - Parameters:
    ///   - name: The service's name in failures: `whisper`.
    ///   - accepts: Statuses to return besides 200.
    /// - Returns: An answer with status 200, or one of `accepts`.
    public func ask(
        _ request: HTTPRequest, of name: String, accepts: Set<Int> = []
    ) async throws(ServiceFailure) -> HTTPResponse {
        var attempt = 1
        while true {
            let failure: ServiceFailure
            do throws(HTTPFailure) {
                let response = try await client.exchange(request, limits: limits)
                if response.status == 200 || accepts.contains(response.status) { return response }
                failure = Self.failure(response, of: name)
            } catch {
                failure = Self.failure(error, of: name)
            }
            guard case .later(let asked) = failure.kind else { throw failure }
            let wait = asked ?? .seconds(1 << attempt)
            guard attempt < Self.attempts, wait <= Self.longestWait else { throw failure }
            attempt += 1
            do { try await sleep(wait) } catch { throw ServiceFailure(.cancelled, "\(name): was not waited for") }
        }
    }

    private static func failure(_ error: HTTPFailure, of name: String) -> ServiceFailure {
        switch error.kind {
        case .cancelled: ServiceFailure(.cancelled, "\(name): was not waited for")
        case .invalidURL, .untrusted: ServiceFailure(.setUp, "\(name): \(error.sentence)")
        case .unreadable: ServiceFailure(.refused, "\(name): the recording cannot be read")
        default: ServiceFailure(.later(nil), "\(name): \(error.sentence)")
        }
    }

    private static func failure(_ response: HTTPResponse, of name: String) -> ServiceFailure {
        let says = "\(name) answers \(response.status)"
        let later = ServiceFailure(.later(RetryAfter.read(response.headers)), says)
        switch response.headers["x-should-retry"] {
        case "true": return later
        case "false": return ServiceFailure(.refused, says)
        default: break
        }
        switch response.status {
        case 408, 409, 425, 429, 500...599: return later
        case 401, 403: return ServiceFailure(.setUp, "\(says): the key is wrong, or may not do this")
        case 404, 405: return ServiceFailure(.setUp, "\(says): the address or the model is wrong")
        case 300...399: return ServiceFailure(.setUp, "\(says): it has moved, and is not followed; change its address")
        default: return ServiceFailure(.refused, says)
        }
    }
}
