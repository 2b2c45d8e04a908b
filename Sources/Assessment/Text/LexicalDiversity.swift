/// Measures of how varied the words of a text are. The plain share of different words is unsuitable, because it falls
/// as a text grows. These two measures do not depend on length.
public struct LexicalDiversity: Codable, Equatable, Sendable {
    /// The mean number of consecutive tokens for which the share of different ones stays above 0.72. It is 30 to 120 in
    /// speech.
    public var mtld: Double
    /// The share of different tokens among 50 consecutive ones, averaged over all places: 0 to 1.
    public var mattr: Double

    /// The least number of tokens. McCarthy & Jarvis 2010 tested MTLD down to 100.
    public static let fewest = 100
    /// McCarthy & Jarvis 2010.
    static let threshold = 0.72
    /// Covington & McFall 2010.
    static let window = 50

    /// Measures a text. Nil for fewer than `fewest` tokens.
    init?(_ tokens: [String]) {
        guard tokens.count >= Self.fewest else { return nil }
        mtld = (Self.factorLength(tokens) + Self.factorLength(tokens.reversed())) / 2
        mattr = Self.movingShare(tokens)
    }

    /// Returns the mean number of tokens until the share sinks to the threshold. The rest at the end counts in
    /// proportion.
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
        // If no token occurs twice, the whole text is one stretch.
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
