import ExamCore

/// A fault of `FaultProxy` for one connection. Numbers of bytes include the heads of HTTP.
public enum Fault: Equatable, Sendable {
    /// Passes on everything as it comes.
    case none
    /// Delays each piece by this time, in either direction.
    case latency(Duration)
    /// Limits each direction to this many bytes a second, in small pieces.
    case slow(bytesPerSecond: Int)
    /// Resets both sides as soon as this many of the client's bytes have reached the server; 0 for at once.
    case resetAfterUp(Int)
    /// Resets both sides as soon as this many of the server's bytes have reached the client.
    case resetAfterDown(Int)
    /// Passes on this many of the client's bytes, and then stops in both directions without reading. 0 accepts the
    /// connection and then does nothing.
    case stallAfterUp(Int)
    /// Passes on this many of the server's bytes, and then stops in both directions without reading.
    case stallAfterDown(Int)
    /// Reads and discards the client's data. The server isn't asked, and no answer comes.
    case halfOpen
    /// Ends the direction to the server after this many of the client's bytes. The answer is passed on.
    case halfCloseAfterUp(Int)
    /// Ends the direction to the client after this many of the server's bytes, as if the answer were complete.
    case halfCloseAfterDown(Int)
    /// Sends each request to the server again on another connection after it was answered, and discards the second
    /// answer. The client gets the first one after that.
    case duplicate
    /// The server gets the whole request and answers. The answer is discarded and the client's connection reset.
    case lostAnswer
}

extension Fault {
    /// Returns a random fault, for properties that have to hold with any fault.
    ///
    /// - Parameters:
    ///   - seed: The same seed and number give the same fault.
    ///   - number: The number of the connection.
    ///   - byteCount: The approximate length of a request. Faults happen within twice that.
    public static func drawn(seed: UInt64, number: Int, byteCount: Int) -> Fault {
        var dice = SplitMix64(seed: seed &* 1_000_003 &+ UInt64(number))
        func bytes() -> Int { dice.below(2 * max(1, byteCount)) }
        switch dice.below(12) {
        case 0: return .none
        case 1: return .latency(.milliseconds(dice.below(50)))
        case 2: return .slow(bytesPerSecond: 2 * max(1, byteCount) + bytes())
        case 3: return .resetAfterUp(bytes())
        case 4: return .resetAfterDown(dice.below(200))
        case 5: return .stallAfterUp(bytes())
        case 6: return .stallAfterDown(dice.below(200))
        case 7: return .halfOpen
        case 8: return .halfCloseAfterUp(bytes())
        case 9: return .halfCloseAfterDown(dice.below(200))
        case 10: return .duplicate
        default: return .lostAnswer
        }
    }
}
