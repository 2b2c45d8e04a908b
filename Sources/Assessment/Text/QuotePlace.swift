extension String {
    /// Where a quote stands in these words, in Unicode scalars: case, spaces and punctuation do not count, halves of words do.
    ///
    /// - Parameter hint: where whoever quotes says that it begins; of several places the nearest one is taken.
    /// - Returns: nil where it stands nowhere, or holds neither letter nor digit: whoever quotes it made it up.
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

    /// Letters and digits in lower case, each with its place.
    private static func letters(_ scalars: [Unicode.Scalar]) -> [(letter: Unicode.Scalar, index: Int)] {
        scalars.enumerated().flatMap { index, scalar in
            scalar.isOfWord ? scalar.properties.lowercaseMapping.unicodeScalars.map { ($0, index) } : []
        }
    }
}

extension Unicode.Scalar {
    package var isOfWord: Bool { properties.isAlphabetic || properties.numericType != nil }
}
