public import HTTPClient
import Synchronization

/// Watches whether a destination can be reached, for as long as this object exists.
///
/// ```swift
/// let network = NetworkWatch(of: .backend(url: "https://exams.example.org"), client: CurlClient())
/// for await isOnline in network.changes { print(isOnline ? "online" : "offline") }
/// ```
///
/// It asks for the destination's health without a token: every five seconds while there is no answer, every half minute
/// otherwise. Call it from any thread. Nothing waits for it.
public final class NetworkWatch: Sendable {
    /// The intervals between checks.
    public struct Intervals: Equatable, Sendable {
        /// While the last check succeeded.
        public var online = Duration.seconds(30)
        /// While the last check failed, and the user may be waiting.
        public var offline = Duration.seconds(5)

        public init() {}
    }

    private let heard = Heard()
    private let look: @Sendable () async -> Reachability.Reach
    private let watching: Task<Void, Never>

    public convenience init(
        of destination: Destination, client: any HTTPExchanging, intervals: Intervals = Intervals()
    ) {
        let reachability = Reachability(client: client)
        self.init(intervals) { await reachability.reachable(destination) }
    }

    init(_ intervals: Intervals, look: @escaping @Sendable () async -> Reachability.Reach) {
        self.look = look
        watching = Task { [heard] in
            while !Task.isCancelled {
                let reach = await look()
                if Task.isCancelled { return }
                heard.note(reach)
                try? await Task.sleep(for: reach == .reachable ? intervals.online : intervals.offline)
            }
        }
    }

    deinit {
        watching.cancel()
        heard.end()
    }

    /// Nil until the first check has ended.
    public var isOnline: Bool? { heard.last.map { $0 == .reachable } }

    /// The reason why the destination can't be reached, as one plain sentence; nil if it can, or the state is unknown.
    public var obstacle: String? {
        if case .unreachable(let why) = heard.last { why } else { nil }
    }

    /// The present state and every later change. The stream ends with the watch.
    public var changes: AsyncStream<Bool> { heard.changes() }

    /// Checks at once, for example before something that needs the network.
    public func isOnlineNow() async -> Bool {
        let reach = await look()
        heard.note(reach)
        return reach == .reachable
    }

    /// The last state, and the listeners for changes.
    private final class Heard: Sendable {
        private struct State {
            var last: Reachability.Reach?
            var listeners: [Int: AsyncStream<Bool>.Continuation] = [:]
            var next = 0
        }

        private let state = Mutex(State())

        var last: Reachability.Reach? { state.withLock { $0.last } }

        func note(_ reach: Reachability.Reach) {
            let listeners = state.withLock { state -> [AsyncStream<Bool>.Continuation] in
                let isNews = state.last.map { ($0 == .reachable) != (reach == .reachable) } ?? true
                state.last = reach
                return isNews ? Array(state.listeners.values) : []
            }
            for listener in listeners { listener.yield(reach == .reachable) }
        }

        func changes() -> AsyncStream<Bool> {
            let (stream, listener) = AsyncStream.makeStream(of: Bool.self)
            let (number, last) = state.withLock { state in
                state.next += 1
                state.listeners[state.next] = listener
                return (state.next, state.last)
            }
            listener.onTermination = { [weak self] _ in
                _ = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
            }
            if let last { listener.yield(last == .reachable) }
            return stream
        }

        func end() {
            let listeners = state.withLock { Array($0.listeners.values) }
            for listener in listeners { listener.finish() }
        }
    }
}
