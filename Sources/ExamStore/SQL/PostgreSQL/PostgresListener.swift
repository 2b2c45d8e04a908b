import Foundation
import Glibc
import Synchronization

/// Listens for notifications of other nodes (LISTEN), on its own connection and thread.
///
/// It replaces a lost connection. Notifications sent meanwhile are lost, so each new connection begins with a wake-up.
final class PostgresListener: Sendable {
    static let channel = "oracy_jobs"
    /// The interval in seconds after which a silent connection is checked.
    private static let checkSeconds = 30.0

    private let address: PostgresAddress
    private let patience: PostgresPatience
    private let bell = Bell()
    private let hasBegun = Mutex(false)
    private let isOver = Atomic(false)

    init(_ address: PostgresAddress, _ patience: PostgresPatience) {
        self.address = address
        self.patience = patience
    }

    /// Begins to listen. A second call changes nothing.
    func begin(_ heard: @escaping @Sendable (News) -> Void) {
        let isFirst = hasBegun.withLock { hasBegun in
            defer { hasBegun = true }
            return !hasBegun
        }
        if isFirst { Thread.detachNewThread { self.run(heard) } }
    }

    func end() {
        isOver.store(true, ordering: .relaxed)
        bell.ring()
    }

    private func run(_ heard: (News) -> Void) {
        var pause = 0.1
        while !isOver.load(ordering: .relaxed) {
            do throws(StoreError) {
                let connection = try PostgresConnection(address, patience)
                try connection.command("LISTEN \(Self.channel)")
                pause = 0.1
                heard(.anything)
                while !isOver.load(ordering: .relaxed) {
                    let news = try connection.waitForNews(orBell: bell.descriptor, seconds: Self.checkSeconds)
                    news.forEach(heard)
                    if news.isEmpty { try connection.command("SELECT 1") }
                }
            } catch {
                // The server is unreachable. Try again after 0.1, 0.2, 0.4 … 5 s. Until then polling every half minute
                // is enough.
                var waiting = pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0)
                poll(&waiting, 1, Int32(pause * 1000))
                pause = min(pause * 2, 5)
            }
        }
    }
}

/// Ends a wait for a socket: its descriptor becomes readable when it is rung.
private final class Bell: Sendable {
    let descriptor: Int32
    private let hand: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        // Swift's Glibc has neither eventfd(2) nor pipe2(2).
        socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends)
        (descriptor, hand) = (ends[0], ends[1])
    }

    deinit {
        close(descriptor)
        close(hand)
    }

    func ring() { shutdown(hand, Int32(SHUT_RDWR)) }
}
