extension String {
    /// Returns the place of a quote in this text in Unicode scalars. Case, spaces and punctuation are ignored, and a
    /// quote may begin or end within a word.
    ///
    /// - Parameter hint: the expected beginning. If the quote occurs several times, the nearest place is returned.
    /// - Returns: nil if the quote does not occur or has no letters or digits. The source then invented it.
    package func place(ofQuote quote: String, near hint: Int? = nil) -> Range<Int>? {
        let scalars = Array(unicodeScalars)
        let own = Self.letters(scalars)
        let wanted = Self.letters(Array(quote.unicodeScalars)).map(\.letter)
        guard !wanted.isEmpty, wanted.count <= own.count else { return nil }
        var best: Range<Int>?
        for start in 0...(own.count - wanted.count) where own[start].letter == wanted[0] {
            guard zip(own[start...], wanted).allSatisfy({ $0.letter == $1 }) else { continue }
            let place = own[start].index..<(own[start + wanted.count - 1].index + 1)
            let isWhole =
                (place.lowerBound == 0 || !scalars[place.lowerBound - 1].isOfWord)
                && (place.upperBound == scalars.count || !scalars[place.upperBound].isOfWord)
            guard isWhole else { continue }
            guard let hint else { return place }
            if best.map({ abs($0.lowerBound - hint) > abs(place.lowerBound - hint) }) ?? true { best = place }
        }
        return best
    }

    /// Returns the letters and digits in lower case, each with its index.
    private static func letters(_ scalars: [Unicode.Scalar]) -> [(letter: Unicode.Scalar, index: Int)] {
        scalars.enumerated().flatMap { index, scalar in
            scalar.isOfWord ? scalar.properties.lowercaseMapping.unicodeScalars.map { ($0, index) } : []
        }
    }
}

extension Unicode.Scalar {
    package var isOfWord: Bool { properties.isAlphabetic || properties.numericType != nil }
}
