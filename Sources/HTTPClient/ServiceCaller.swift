/// Asks a service, and again where that may help: three times, 2 and 4 s apart (E3), or when the server says.
///
/// Which statuses are tried again is what openai 3.52.0 and Azure's documentation say: 408, 409, 425, 429 and 5xx, unless
/// `x-should-retry` says otherwise.
public struct ServiceCaller: Sendable {
    /// How often it is asked before it counts as away.
    public static let attempts = 3
    /// Longer ones are not waited for here: whoever asks is told when to come back.
    static let longestWait = Duration.seconds(120)

    private let client: any HTTPExchanging
    private let limits: HTTPLimits
    private let sleep: @Sendable (Duration) async throws -> Void

    /// - Parameters:
    ///   - time: of one attempt; models take their time.
    ///   - sleep: another one for tests.
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
    ///   - name: what the service is called in failures: `whisper`.
    ///   - accepts: statuses that are an answer, beside 200.
    /// - Returns: an answer with status 200, or one of `accepts`.
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
