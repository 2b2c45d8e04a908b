import Dispatch
import Foundation
import Synchronization

/// Tells workers that there may be something to claim: at once when something was queued, here or on another node, when a retry
/// is due that this node put off, and every half a minute in any case, since news can be lost with a connection. And those who watch a
/// session that something of it changed: of that one, not of any, or hundreds of open pages would ask at every change of others.
final class WakeUps: Sendable {
    /// The safety net, seconds: what a lost wake-up or a dead node's lease costs at most.
    static let pollSeconds = 30.0

    private struct State {
        var streams: [Int: (session: UUID?, stream: AsyncStream<Void>.Continuation)] = [:]
        var nextNumber = 0
        var isClosed = false
        var isPolling = false
        var hasSafetyNet = true
    }

    private let state = Mutex(State())

    /// Begins with a wake-up: there may be something already. Wake-ups that nobody took yet are one.
    ///
    /// - Parameter session: that is watched; nil: jobs.
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

    /// Stops to look by itself: from here on only news wakes.
    ///
    /// For tests that show that news comes. The safety net would hide that it does not.
    func endSafetyNet() { state.withLock { $0.hasSafetyNet = false } }

    /// How many are waiting for wake-ups.
    var count: Int { state.withLock { $0.streams.count } }

    /// Wakes workers.
    func wake() { wake { $0 == nil } }

    /// Wakes those whom it concerns.
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
