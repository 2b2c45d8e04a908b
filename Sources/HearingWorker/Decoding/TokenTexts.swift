import Assessment

/// The texts of a model's tokens.
struct TokenTexts {
    /// The bytes of each token's text. A token may be a part of a character.
    let bytes: [[UInt8]]

    /// Returns the text of tokens.
    func text(of tokens: [Int32]) -> String {
        String(decoding: tokens.flatMap { bytes.indices.contains(Int($0)) ? bytes[Int($0)] : [] }, as: UTF8.self)
    }

    /// Returns whether tokens end with a group of words that came at least three times.
    ///
    /// - Parameter tokens: the tokens so far. They are checked only when a word is complete.
    func isLoop(_ tokens: [Int32]) -> Bool {
        guard let last = tokens.last, bytes.indices.contains(Int(last)), bytes[Int(last)].first == UInt8(ascii: " ")
        else { return false }
        // The last token is left out, because it may be the beginning of a longer word.
        let words = text(of: Array(tokens.dropLast())).split(whereSeparator: \.isWhitespace).map { word in
            word.lowercased().filter { $0.isLetter || $0.isNumber || $0 == "'" }
        }
        return WordLoop.first(in: words.filter { !$0.isEmpty }) != nil
    }

    /// For each token whether it is never part of speech: brackets, stars and notes, with which recognisers describe
    /// sounds, and signs that have no sound.
    var notSpoken: [Bool] {
        bytes.map { bytes in
            let signs = bytes.filter { $0 != UInt8(ascii: " ") }
            // E2 99 begins ♩, ♪, ♫ and their kind.
            if signs.starts(with: [0xE2, 0x99]) { return true }
            return !signs.isEmpty && signs.contains { Self.signs.contains($0) }
        }
    }

    private static let signs = Set("[](){}<>*#_|~^=\\@".utf8)
}
