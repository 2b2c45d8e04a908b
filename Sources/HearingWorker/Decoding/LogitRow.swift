import Glibc

/// A recogniser's values for the next token: the higher a value, the more probable the token.
struct LogitRow {
    var values: [Float]

    /// Returns the most probable token below a limit.
    ///
    /// - Parameters:
    ///   - limit: the number of the first token that is not allowed. 1 or more.
    ///   - suppressed: true for each token that is not allowed. Tokens beyond its end are allowed.
    /// - Returns: the token, and the logarithm of its probability among the allowed tokens.
    func best(below limit: Int32, without suppressed: [Bool]) -> (token: Int32, logProbability: Double) {
        let count = min(Int(limit), values.count)
        var (best, highest) = (0, -Float.infinity)
        for token in 0..<count where token >= suppressed.count || !suppressed[token] {
            if values[token] > highest { (best, highest) = (token, values[token]) }
        }
        var sum = 0.0
        for token in 0..<count where token >= suppressed.count || !suppressed[token] {
            sum += exp(Double(values[token] - highest))
        }
        return (Int32(best), -log(sum))
    }

    /// Returns the probability of a token among all tokens; 0 for an unknown token.
    func probability(of token: Int32) -> Double {
        guard values.indices.contains(Int(token)), let highest = values.max() else { return 0 }
        let sum = values.reduce(0.0) { $0 + exp(Double($1 - highest)) }
        return exp(Double(values[Int(token)] - highest)) / sum
    }
}
