/// How varied the words of a text are. The share of different words alone says nothing, since it sinks with every word more; these two do not
/// grow with the text.
public struct LexicalDiversity: Codable, Equatable, Sendable {
    /// How many tokens in a row keep the share of different ones above 0.72, on average; 30 to 120 in speech.
    public var mtld: Double
    /// The share of different tokens among 50 in a row, on average over all places: 0 … 1.
    public var mattr: Double

    /// Fewer tokens tell nothing (McCarthy & Jarvis 2010 tried MTLD down to 100).
    public static let fewest = 100
    /// McCarthy & Jarvis 2010.
    static let threshold = 0.72
    /// Covington & McFall 2010.
    static let window = 50

    /// - Returns: nil where there are fewer than `fewest` tokens.
    init?(_ tokens: [String]) {
        guard tokens.count >= Self.fewest else { return nil }
        mtld = (Self.factorLength(tokens) + Self.factorLength(tokens.reversed())) / 2
        mattr = Self.movingShare(tokens)
    }

    /// Tokens for each time that the share sinks to the threshold; what is left at the end counts by how far it sank.
    private static func factorLength(_ tokens: [String]) -> Double {
        var (factors, count) = (0.0, 0)
        var different: Set<String> = []
        for token in tokens {
            count += 1
            different.insert(token)
            if Double(different.count) / Double(count) <= threshold {
                factors += 1
                (count, different) = (0, [])
            }
        }
        if count > 0 { factors += (1 - Double(different.count) / Double(count)) / (1 - threshold) }
        // No token comes twice: the whole is one stretch.
        return Double(tokens.count) / (factors == 0 ? 1 : factors)
    }

    private static func movingShare(_ tokens: [String]) -> Double {
        var counts: [String: Int] = [:]
        var sum = 0
        for (index, token) in tokens.enumerated() {
            counts[token, default: 0] += 1
            if index >= window {
                let leaving = tokens[index - window]
                counts[leaving] = counts[leaving] == 1 ? nil : counts[leaving]! - 1
            }
            if index >= window - 1 { sum += counts.count }
        }
        return Double(sum) / Double(tokens.count - window + 1) / Double(window)
    }
}
