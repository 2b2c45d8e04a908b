import Dispatch
import Foundation
import Synchronization

/// Wakes workers when there may be work: at once when work was queued on any node, when a retry that this node
/// postponed is due, and every half minute, because announcements can be lost with a connection. Also wakes the
/// watchers of a session when something in that session changed. Changes of other sessions do not wake them, since
/// otherwise hundreds of open pages would query at every change.
final class WakeUps: Sendable {
    /// The interval of the safety net in seconds: the longest delay after a lost wake-up or a dead node's lease.
    static let pollSeconds = 30.0

    private struct State {
        var streams: [Int: (session: UUID?, stream: AsyncStream<Void>.Continuation)] = [:]
        var nextNumber = 0
        var isClosed = false
        var isPolling = false
        var hasSafetyNet = true
    }

    private let state = Mutex(State())

    /// Returns a stream that begins with a wake-up, because there may be work already. Several wake-ups that were not
    /// taken yet become one.
    ///
    /// - Parameter session: the session to watch. Nil for jobs.
    func stream(of session: UUID? = nil) -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let (number, mustPoll) = state.withLock { state -> (Int?, Bool) in
            if state.isClosed { return (nil, false) }
            state.nextNumber += 1
            state.streams[state.nextNumber] = (session, continuation)
            defer { state.isPolling = true }
            return (state.nextNumber, !state.isPolling)
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.streams.removeValue(forKey: number) }
        }
        continuation.yield()
        if mustPoll { poll() }
        return stream
    }

    /// Ends the regular wake-ups, so that only announcements wake.
    ///
    /// For tests of announcements: the safety net would hide a lost one.
    func endSafetyNet() { state.withLock { $0.hasSafetyNet = false } }

    /// The number of streams waiting for wake-ups.
    var count: Int { state.withLock { $0.streams.count } }

    /// Wakes workers.
    func wake() { wake { $0 == nil } }

    /// Wakes the streams that an announcement concerns.
    func hear(_ news: News) {
        switch news {
        case .jobs: wake()
        case .session(let id): wake { $0 == id }
        case .anything: wake { _ in true }
        }
    }

    private func wake(_ isMeant: (UUID?) -> Bool) {
        let streams = state.withLock { $0.streams.values.filter { isMeant($0.session) } }
        for (_, stream) in streams { stream.yield() }
    }

    func wake(after seconds: Double) {
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + seconds) { [weak self] in self?.wake() }
    }

    func close() {
        let streams = state.withLock { state in
            state.isClosed = true
            defer { state.streams = [:] }
            return Array(state.streams.values)
        }
        for (_, stream) in streams { stream.finish() }
    }

    private func poll() {
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + Self.pollSeconds) { [weak self] in
            guard let self, state.withLock({ !$0.isClosed && $0.hasSafetyNet }) else { return }
            hear(.anything)
            poll()
        }
    }
}
