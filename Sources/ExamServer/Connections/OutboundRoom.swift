import Synchronization

/// Memory for what waits to be read by clients: bytes of all connections of this process together, and large bodies that were made for them.
public final class OutboundRoom: Sendable {
    /// Bytes on all connections. Five hundred that read nothing hold less than this.
    static let mostWaiting = 48 << 20
    /// Bytes of large bodies: some reports with an hour of sound each.
    static let mostHeld = 192 << 20

    private struct State {
        var waiting = 0
        var held = 0
    }

    private let state = Mutex(State())

    public init() {}

    /// Bytes that were written and that no client's system has taken yet.
    var waiting: Int { state.withLock { $0.waiting } }
    /// Bytes of large bodies that are being sent.
    var held: Int { state.withLock { $0.held } }

    /// Counts bytes that were written, or with a minus bytes that went.
    ///
    /// - Returns: whether there is room for them.
    @discardableResult func add(waiting count: Int) -> Bool {
        state.withLock { state in
            state.waiting += count
            return state.waiting <= Self.mostWaiting
        }
    }

    /// Room for a large body, until the value goes; nil if there is none.
    func hold(_ count: Int) -> HeldRoom? {
        let isFree = state.withLock { state in
            // One that is larger than all room may come alone.
            guard state.held == 0 || state.held + count <= Self.mostHeld else { return false }
            state.held += count
            return true
        }
        return isFree ? HeldRoom(count, in: self) : nil
    }

    fileprivate func release(_ count: Int) { state.withLock { $0.held -= count } }
}

/// Room that goes with this value, whether its body was sent or not.
final class HeldRoom: Sendable {
    private let count: Int
    private let room: OutboundRoom

    fileprivate init(_ count: Int, in room: OutboundRoom) {
        self.count = count
        self.room = room
    }

    deinit { room.release(count) }
}
