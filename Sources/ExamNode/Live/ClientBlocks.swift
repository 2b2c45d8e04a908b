/// Tracks which of a client's blocks were recorded and heard, and holds back the client's events until all blocks
/// before them were heard. A pure value.
///
/// On a slow line, the sound that is heard now may have been spoken seconds ago. The client says before which of its
/// blocks an event happened. The event therefore counts once all earlier blocks were heard, not when it arrives.
struct ClientBlocks: Equatable, Sendable {
    typealias Happening = ClientMessage.Happening

    /// The number of recorded blocks not yet heard at which the line counts as slow: 3 s.
    static let slow: UInt32 = 150
    /// The number below which the line counts as caught up: 1 s.
    static let caughtUp: UInt32 = 50
    /// The maximum number of events kept until they are reached, more than a client sends in a minute.
    private static let mostWaiting = 256

    /// The next block to be heard. Nil until a client has stated its position.
    private(set) var next: UInt32?
    /// The block that the client records next, as far as known.
    private var recorded: UInt32 = 0
    private var waiting: [(before: UInt32, what: Happening)] = []
    /// Whether the line fell behind and has not caught up yet.
    private(set) var isBehind = false

    static func == (one: Self, other: Self) -> Bool {
        one.next == other.next && one.recorded == other.recorded && one.isBehind == other.isBehind
            && one.waiting.elementsEqual(other.waiting, by: ==)
    }

    /// Begins or continues at a block. The client repeats events that an earlier connection reported.
    mutating func begin(at block: UInt32, recorded: UInt32) {
        (next, self.recorded) = (block, recorded)
        waiting = []
    }

    /// Records that every block before this one was heard or will never arrive.
    mutating func pass(to block: UInt32) { next = block }

    /// Adds an event.
    ///
    /// - Returns: the event if its block has been reached. Nil if earlier blocks are still to come.
    mutating func note(_ what: Happening, before block: UInt32?) -> Happening? {
        // Events keep their order: one without a block follows those before it.
        guard let next, let place = block ?? waiting.last?.before else { return what }
        recorded = max(recorded, place)
        let latest = max(place, waiting.last?.before ?? 0)
        guard latest > next, waiting.count < Self.mostWaiting else { return what }
        waiting.append((latest, what))
        return nil
    }

    /// Returns an event before the next block that was not returned yet.
    mutating func reached() -> Happening? {
        guard let next, let first = waiting.first, first.before <= next else { return nil }
        return waiting.removeFirst().what
    }

    /// Checks the delay.
    ///
    /// - Returns: true if the line fell behind now, false if it caught up, nil if nothing changed.
    mutating func lagChanged() -> Bool? {
        guard let next else { return nil }
        let lag = recorded > next ? recorded - next : 0
        guard isBehind ? lag <= Self.caughtUp : lag >= Self.slow else { return nil }
        isBehind.toggle()
        return isBehind
    }
}
