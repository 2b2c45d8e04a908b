/// How far a client has recorded and how far it was heard, and what happened over there before which block. Pure.
///
/// A line may be slow: what is heard now may have been spoken some seconds ago, while what the client says of itself goes by its own
/// blocks. So what happened there before a block counts when all blocks before it were heard, and not when it arrives.
struct ClientBlocks: Equatable, Sendable {
    typealias Happening = ClientMessage.Happening

    /// The line is slow from this many blocks on that were recorded and not heard: 3 s.
    static let slow: UInt32 = 150
    /// And has caught up from this many on: 1 s.
    static let caughtUp: UInt32 = 50
    /// How many things that happened are kept until they are reached; more than a client has to say in a minute.
    private static let mostWaiting = 256

    /// The next block to be heard; nil until a client has said where it stands.
    private(set) var next: UInt32?
    /// Blocks before this one were recorded, as far as the client said.
    private var recorded: UInt32 = 0
    private var waiting: [(before: UInt32, what: Happening)] = []
    /// Whether it fell behind, and has not caught up yet.
    private(set) var isBehind = false

    static func == (one: Self, other: Self) -> Bool {
        one.next == other.next && one.recorded == other.recorded && one.isBehind == other.isBehind
            && one.waiting.elementsEqual(other.waiting, by: ==)
    }

    /// A client begins, or goes on, at this block; what an earlier connection said of blocks it says again.
    mutating func begin(at block: UInt32, recorded: UInt32) {
        (next, self.recorded) = (block, recorded)
        waiting = []
    }

    /// Every block before this one was heard, or never will be.
    mutating func pass(to block: UInt32) { next = block }

    /// - Returns: what happened, where its block is reached; nil where it is still to come.
    mutating func note(_ what: Happening, before block: UInt32?) -> Happening? {
        // In the order in which they were said: one without a block comes after those before it.
        guard let next, let place = block ?? waiting.last?.before else { return what }
        recorded = max(recorded, place)
        let latest = max(place, waiting.last?.before ?? 0)
        guard latest > next, waiting.count < Self.mostWaiting else { return what }
        waiting.append((latest, what))
        return nil
    }

    /// What happened before the next block, and has not been told yet.
    mutating func reached() -> Happening? {
        guard let next, let first = waiting.first, first.before <= next else { return nil }
        return waiting.removeFirst().what
    }

    /// - Returns: whether it fell behind now, or caught up; nil: neither.
    mutating func lagChanged() -> Bool? {
        guard let next else { return nil }
        let lag = recorded > next ? recorded - next : 0
        guard isBehind ? lag <= Self.caughtUp : lag >= Self.slow else { return nil }
        isBehind.toggle()
        return isBehind
    }
}
