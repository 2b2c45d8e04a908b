import ExamNode
import ExamStore
import Foundation
import HTTPTypes
import Hummingbird
import ServiceLifecycle
import Synchronization
import SystemSupport

/// The source of a stream of server-sent events.
protocol StreamedNews: Sendable {
    /// Returns the new events.
    ///
    /// - Returns: nil if nothing more will come.
    mutating func next() async throws(StoreError) -> [ServerSentEvent]?

    /// Whether all events were sent.
    var isOver: Bool { get }

    /// The last event, sent if nothing more will come.
    var farewell: ServerSentEvent? { get }
}

/// Streams of server-sent events. A client that lost its connection continues from the last event it received
/// (PROTOCOL.md).
struct EventStreams: Sendable {
    let services: Services
    private let open = OpenStreams()

    /// The maximum number of a user's simultaneous streams: several windows.
    static let most = 8
    /// The time after which proxies consider a silent connection dead.
    static let silence = Duration.seconds(15)
    /// The maximum length of a stream. After that the client reconnects with a token that is still valid.
    static let longest = Duration.seconds(600)
    /// The pause before a client reconnects, in milliseconds.
    static let retry = 2_000

    init(services: Services) { self.services = services }

    /// Returns the response with a stream.
    ///
    /// - Parameter id: the id under which changes are announced.
    /// - Throws: `APIProblem` 429.
    func response(
        _ news: some StreamedNews, of id: UUID, to caller: Caller
    ) throws(APIProblem) -> Response {
        guard let place = open.place(of: caller.user, most: Self.most) else {
            throw APIProblem(
                .tooManyRequests, "too-many-streams", "Too many streams",
                "You have \(Self.most) streams of results open. Close one and try again.", retryAfter: 10)
        }
        let left = caller.until.map { Duration.seconds(max(0, $0.timeIntervalSinceNow)) } ?? Self.longest
        let end = SteadyClock.now + min(left, Self.longest)
        let wakeUps = services.store.service.wakeUps(of: id)
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/event-stream; charset=utf-8", .cacheControl: "no-store",
                // A proxy must not buffer: it would keep events back.
                .accelBuffering: "no",
            ],
            body: ResponseBody { writer in
                defer { place.leave() }
                // Ends when this server is to stop. An open stream would keep it running.
                let signals = Self.ticking(wakeUps, until: end)
                try await withGracefulShutdownHandler {
                    try await writer.write(ByteBuffer(string: ServerSentEvent.retry(Self.retry)))
                    try await Self.tell(news, signals.stream) { try await writer.write(ByteBuffer(string: $0)) }
                    try await writer.finish(nil)
                } onGracefulShutdown: {
                    signals.end()
                }
            })
    }

    /// Sends changes until the end, or until nothing more will come.
    private static func tell(
        _ news: some StreamedNews, _ signals: AsyncStream<Void>, write: (String) async throws -> Void
    ) async throws {
        var news = news
        var said = SteadyClock.now
        for await _ in signals {
            let events: [ServerSentEvent]?
            do throws(StoreError) {
                events = try await news.next()
            } catch {
                continue  // The store is unavailable. Its changes are sent when it is back.
            }
            guard let events else {
                if let farewell = news.farewell { try await write(farewell.text) }
                return
            }
            for event in events { try await write(event.text) }
            if news.isOver { return }
            if !events.isEmpty {
                said = SteadyClock.now
            } else if SteadyClock.now - said >= silence / 2 {
                try await write(ServerSentEvent.stillHere)
                said = SteadyClock.now
            }
        }
    }

    /// Returns wake-ups, with additional ones at the interval of `silence`.
    private static func ticking(
        _ wakeUps: AsyncStream<Void>, until end: Duration
    ) -> (stream: AsyncStream<Void>, end: @Sendable () -> Void) {
        let (stream, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let work = Task {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { for await _ in wakeUps { signal.yield() } }
                group.addTask {
                    while SteadyClock.now < end {
                        let pause = min(silence, end - SteadyClock.now)
                        guard (try? await Task.sleep(for: max(pause, .zero))) != nil else { return }
                        signal.yield()
                    }
                }
                await group.next()
                group.cancelAll()
            }
            signal.finish()
        }
        signal.onTermination = { _ in work.cancel() }
        return (stream, { signal.finish() })
    }

    /// Returns the number of the last event that the client has seen.
    ///
    /// - Returns: nil if the client states none.
    /// - Throws: `APIProblem` 400.
    static func lastEvent(_ request: Request) throws(APIProblem) -> Int? {
        guard let text = request.headers[.lastEventID], !text.isEmpty else { return nil }
        guard let number = Int(text), number >= 0 else {
            throw .malformed("Last-Event-ID: must be the id of an event of this stream.")
        }
        return number
    }
}

/// The numbers of open streams by user.
private final class OpenStreams: Sendable {
    private let counts = Mutex<[UUID: Int]>([:])

    /// A place that is released once, whether its stream has begun or not.
    final class Place: Sendable {
        private let streams: OpenStreams
        private let user: UUID
        private let isOpen = Atomic(true)

        init(_ streams: OpenStreams, _ user: UUID) { (self.streams, self.user) = (streams, user) }

        deinit { leave() }

        func leave() {
            guard isOpen.exchange(false, ordering: .relaxed) else { return }
            streams.counts.withLock { counts in
                counts[user, default: 1] -= 1
                if counts[user] == 0 { counts[user] = nil }
            }
        }
    }

    /// Returns a place. Nil if the user has the maximum number.
    func place(of user: UUID, most: Int) -> Place? {
        let isFree = counts.withLock { counts in
            guard counts[user, default: 0] < most else { return false }
            counts[user, default: 0] += 1
            return true
        }
        return isFree ? Place(self, user) : nil
    }
}

extension HTTPField.Name {
    static let lastEventID = HTTPField.Name("Last-Event-ID")!
    static let accelBuffering = HTTPField.Name("X-Accel-Buffering")!
}
