import CCurl
import Synchronization

/// How tasks hand exchanges to the client's thread. All calls may come from any thread.
final class Mailbox: Sendable {
    enum Letter: Sendable {
        case begin(Order)
        case cancel(Ticket)
    }

    private struct State {
        var letters: [Letter] = []
        var isClosed = false
        /// To wake the thread; nil when it has ended, or never began.
        var multi: UnsafeMutableRawPointer?
    }

    private let state = Mutex(State())

    /// From here on letters wake whoever waits in `curl_multi_poll` for this handle.
    func open(for multi: UnsafeMutableRawPointer) {
        // The pointer may be used for `curl_multi_wakeup` from any thread; curl allows that and nothing else.
        let address = UInt(bitPattern: multi)
        state.withLock { $0.multi = UnsafeMutableRawPointer(bitPattern: address) }
    }

    func post(_ letter: Letter) {
        let isTaken = state.withLock { state in
            guard let multi = state.multi else { return false }
            state.letters.append(letter)
            curl_multi_wakeup(multi)
            return true
        }
        if !isTaken, case .begin(let order) = letter {
            order.continuation.resume(returning: .failure(HTTPFailure(.unknown, "the client's thread did not begin")))
        }
    }

    /// No letter comes any more; what is under way is carried to its end.
    func close() {
        state.withLock { state in
            state.isClosed = true
            if let multi = state.multi { curl_multi_wakeup(multi) }
        }
    }

    /// Takes what has come since, in order.
    func collect() -> (letters: [Letter], isClosed: Bool) {
        state.withLock { state in
            defer { state.letters = [] }
            return (state.letters, state.isClosed)
        }
    }

    /// Nobody is to be woken any more.
    func end() { state.withLock { $0.multi = nil } }
}

/// One exchange, as the task asked for it.
struct Order: Sendable {
    let ticket: Ticket
    let request: HTTPRequest
    let limits: HTTPLimits
    let sent: @Sendable (Int) -> Void
    /// Resumed exactly once, by the client's thread.
    let continuation: CheckedContinuation<Result<HTTPResponse, HTTPFailure>, Never>
}

/// Which exchange is meant, and whether its task was cancelled before the thread heard of it.
final class Ticket: Sendable {
    let isCancelled = Atomic(false)
}
