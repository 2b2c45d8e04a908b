import HTTPClient
import Synchronization
import UploadQueue

@testable import Backends

/// The way to a server, on which one request meets a mishap.
final class UnreliableWay: HTTPExchanging {
    enum Mishap: CaseIterable {
        /// Nobody listens just then.
        case unreachable
        /// It is lost before the server sees it.
        case requestLost
        /// The server acts, and its answer is lost.
        case answerLost
        /// The same, found out by the clock.
        case answerLate
        /// The server sees it twice.
        case sentTwice
        /// Something in between is overloaded.
        case unavailable
        /// Something in between has a page of its own for everybody.
        case strangersPage

        /// What the uploader should make of it; nil: nothing.
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

    /// - Parameter mishap: what happens to which request, counted from 1.
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
            throw HTTPFailure(.networkUnavailable, code: 7, "nobody listens at exams.example.org")
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

/// What a queue does with a session: one upload after the other, each until it has arrived, with the notes that were kept.
struct Persistence {
    /// Every failure on the way.
    private(set) var failures: [DeliveryFailure] = []

    /// - Returns: false where an upload did not arrive in five attempts.
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
