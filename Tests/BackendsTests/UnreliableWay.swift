import HTTPClient
import Synchronization
import UploadQueue

/// A connection to a server on which one request meets a mishap.
final class UnreliableWay: HTTPExchanging {
    enum Mishap: CaseIterable {
        /// No server listens at that moment.
        case unreachable
        /// The request is lost before the server sees it.
        case requestLost
        /// The server acts, but its answer is lost.
        case answerLost
        /// The same, detected by a timeout.
        case answerLate
        /// The server receives it twice.
        case sentTwice
        /// A server in between is overloaded.
        case unavailable
        /// A server in between answers with its own page.
        case strangersPage

        /// The failure that the uploader should report; nil for none.
        var failure: DeliveryFailure.Kind? {
            switch self {
            case .unreachable: .unreachable
            case .requestLost, .answerLost, .unavailable, .strangersPage: .transient
            case .answerLate: .timedOut
            case .sentTwice: nil
            }
        }
    }

    private let server: any HTTPExchanging
    private let mishap: (request: Int, kind: Mishap)?
    private let count = Mutex(0)

    /// - Parameter mishap: The request, counted from 1, and its mishap.
    init(to server: any HTTPExchanging, mishap: (request: Int, kind: Mishap)? = nil) {
        self.server = server
        self.mishap = mishap
    }

    var requestCount: Int { count.withLock { $0 } }

    func exchange(
        _ request: HTTPRequest, limits: HTTPLimits, sent: @escaping @Sendable (Int) -> Void
    ) async throws(HTTPFailure) -> HTTPResponse {
        let number = count.withLock {
            $0 += 1
            return $0
        }
        guard let mishap, mishap.request == number else {
            return try await server.exchange(request, limits: limits, sent: sent)
        }
        switch mishap.kind {
        case .unreachable:
            throw HTTPFailure(.networkUnavailable, code: 7, "no server listens at exams.example.org")
        case .requestLost:
            throw HTTPFailure(.connectionLost, code: 55, "the connection broke")
        case .answerLost:
            _ = try await server.exchange(request, limits: limits, sent: sent)
            throw HTTPFailure(.connectionLost, code: 56, "the connection broke")
        case .answerLate:
            _ = try await server.exchange(request, limits: limits, sent: sent)
            throw HTTPFailure(.timeout, code: 28, "no answer for 15 s")
        case .sentTwice:
            _ = try await server.exchange(request, limits: limits, sent: sent)
            return try await server.exchange(request, limits: limits, sent: sent)
        case .unavailable:
            return HTTPResponse(status: 503, headers: ["retry-after": "7"], body: Array("try later".utf8))
        case .strangersPage:
            return HTTPResponse(
                status: 200, headers: ["content-type": "text/html; charset=utf-8"],
                body: Array("<html>Welcome!</html>".utf8))
        }
    }
}

/// Delivers like a queue: one upload after another, each until it has arrived, with the stored notes.
struct Persistence {
    /// All failures so far.
    private(set) var failures: [DeliveryFailure] = []

    /// - Returns: false if an upload did not arrive in five attempts.
    mutating func deliver(_ uploads: [Upload], by uploader: some Uploader) async -> Bool {
        for upload in uploads {
            let notes = KeptNotes()
            var attempts = 0
            while let failed = await failure(of: uploader, upload, with: notes.courier) {
                failures.append(failed)
                attempts += 1
                if attempts == 5 { return false }
            }
        }
        return true
    }
}
