import CCurl
import Synchronization

/// Passes exchanges from tasks to the client's thread. Call it from any thread.
final class Mailbox: Sendable {
    enum Letter: Sendable {
        case begin(Order)
        case cancel(Ticket)
    }

    private struct State {
        var letters: [Letter] = []
        var isClosed = false
        /// The handle to wake the thread; nil if it has ended or never began.
        var multi: UnsafeMutableRawPointer?
    }

    private let state = Mutex(State())

    /// Begins to wake the thread that waits in `curl_multi_poll` for this handle.
    func open(for multi: UnsafeMutableRawPointer) {
        // curl allows `curl_multi_wakeup` from any thread, and no other use of the pointer.
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

    /// Closes the mailbox. Exchanges in progress are completed.
    func close() {
        state.withLock { state in
            state.isClosed = true
            if let multi = state.multi { curl_multi_wakeup(multi) }
        }
    }

    /// Returns the letters since the last call, in order.
    func collect() -> (letters: [Letter], isClosed: Bool) {
        state.withLock { state in
            defer { state.letters = [] }
            return (state.letters, state.isClosed)
        }
    }

    /// Stops waking the thread.
    func end() { state.withLock { $0.multi = nil } }
}

/// An exchange, as its task requested it.
struct Order: Sendable {
    let ticket: Ticket
    let request: HTTPRequest
    let limits: HTTPLimits
    let sent: @Sendable (Int) -> Void
    /// Resumed exactly once, by the client's thread.
    let continuation: CheckedContinuation<Result<HTTPResponse, HTTPFailure>, Never>
}

/// The identity of an exchange, and whether its task was cancelled before the thread saw it.
final class Ticket: Sendable {
    let isCancelled = Atomic(false)
}
