/// A model that rates which token may come next.
protocol NextToken {
    /// Returns the values for the token after these ones.
    ///
    /// - Parameters:
    ///   - tokens: one or more.
    ///   - past: the number of tokens before them, which the model remembers.
    /// - Returns: nil if the model fails.
    mutating func after(_ tokens: [Int32], past: Int) -> LogitRow?
}

/// The tokens of a pass.
struct DecodedPass: Equatable {
    var tokens: [Int32] = []
    /// The sum of the logarithmic probabilities of the tokens and of the end.
    var logProbability = 0.0
    var end = HearingReply.Pass.End.full

    /// The mean of the logarithmic probabilities.
    var meanLogProbability: Double { logProbability / Double(tokens.count + (end == .said ? 1 : 0)) }
}

/// Greedy decoding: always the most probable token, without a second try. A pass that repeats itself ends there,
/// because a stuck model would continue to the maximum.
struct Decoding {
    /// The token that ends the text. Neither this token nor those after it are words.
    var endOfText: Int32
    /// For each token whether it is never written: brackets, notes of music.
    var suppressed: [Bool] = []
    /// The most tokens of a pass, 1 or more.
    var most: Int
    /// Returns whether these tokens repeat themselves.
    var isLoop: ([Int32]) -> Bool = { _ in false }

    /// Decodes a pass.
    ///
    /// - Parameters:
    ///   - prompt: the tokens before the text, without those that the model remembers.
    ///   - past: the number of tokens that it remembers.
    /// - Returns: nil if the model fails.
    func pass(after prompt: [Int32], past: Int = 0, _ model: inout some NextToken) -> DecodedPass? {
        var pass = DecodedPass()
        guard var row = model.after(prompt, past: past) else { return nil }
        while true {
            let next = row.best(below: endOfText + 1, without: suppressed)
            pass.logProbability += next.logProbability
            guard next.token != endOfText else {
                pass.end = .said
                return pass
            }
            pass.tokens.append(next.token)
            if isLoop(pass.tokens) {
                pass.end = .loop
                return pass
            }
            guard pass.tokens.count < most else { return pass }
            let known = past + prompt.count + pass.tokens.count - 1
            guard let after = model.after([next.token], past: known) else { return nil }
            row = after
        }
    }
}
