import ExamCore

/// What `FaultProxy` does to one connection. Counts of bytes are of the connection, heads of HTTP included.
public enum Fault: Equatable, Sendable {
    /// Carries everything as it comes.
    case none
    /// Each piece waits this long, in either direction.
    case latency(Duration)
    /// This many bytes a second in each direction, in small pieces.
    case slow(bytesPerSecond: Int)
    /// Resets both sides as soon as this many of the client's bytes have gone to the server; 0: at once.
    case resetAfterUp(Int)
    /// Resets both sides as soon as this many of the server's bytes have gone to the client.
    case resetAfterDown(Int)
    /// Carries this many of the client's bytes, then nothing more in either direction, and reads nothing: 0 is accepted and
    /// then left alone.
    case stallAfterUp(Int)
    /// Carries this many of the server's bytes, then nothing more in either direction, and reads nothing.
    case stallAfterDown(Int)
    /// Takes what the client sends and throws it away; the server is not asked, and nobody ever answers.
    case halfOpen
    /// Tells the server after this many of the client's bytes that no more come; the answer is carried.
    case halfCloseAfterUp(Int)
    /// Tells the client after this many of the server's bytes that no more come, as if the answer were over.
    case halfCloseAfterDown(Int)
    /// Sends each request to the server once more when it was answered, on a connection of its own, and throws the second
    /// answer away; the client gets the first one after that.
    case duplicate
    /// The server gets the whole request and answers; the answer is thrown away and the client's connection reset.
    case lostAnswer
}

extension Fault {
    /// One of each kind with the numbers drawn: for properties that have to hold whatever happens to a connection.
    ///
    /// - Parameters:
    ///   - seed: the same seed and number, the same fault.
    ///   - number: of the connection.
    ///   - byteCount: how long a request is, about: faults happen within twice that.
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
