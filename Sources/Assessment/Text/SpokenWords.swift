extension String {
    /// The words as people count them, in order and with their places. A word stands between spaces and has a letter or
    /// a digit. In Chinese, which has no spaces, each character is a word.
    var spokenWords: [SpokenWord] {
        let scalars = Array(unicodeScalars)
        return scalars.indices.split { scalars[$0].properties.isWhitespace }.flatMap { place in
            place.pieces(alone: { scalars[$0].properties.isIdeographic })
        }.compactMap { piece in
            let inner = piece.trimming { !scalars[$0].isOfWord }
            guard let first = inner.first, let last = inner.last else { return nil }
            var text = UnicodeScalarView()
            text.append(contentsOf: scalars[first...last].map { $0 == "’" ? "'" : $0 })
            return SpokenWord(text: String(text).lowercased(), start: first, end: last + 1)
        }
    }

    /// The tokens for measures of diversity, exactly as in lexicalrichness 0.5.1 (PyPI), so that the values are
    /// comparable: in lower case, without digits and dashes, split at spaces and at ASCII punctuation. `don't` is two
    /// tokens.
    var diversityTokens: [String] {
        lowercased().unicodeScalars.filter { !("0"..."9").contains($0) && !["-", "–", "—"].contains($0) }
            .split { $0.properties.isWhitespace || $0.isPunctuationOfASCII }
            .map { String(String.UnicodeScalarView($0)) }
    }
}

/// A word of a transcript in lower case, without the punctuation around it.
struct SpokenWord: Equatable {
    var text: String
    /// The place in the transcript in Unicode scalars: the first one, and the one after the last.
    var start: Int
    var end: Int
}

extension Unicode.Scalar {
    /// Python's `string.punctuation`.
    fileprivate var isPunctuationOfASCII: Bool {
        isASCII && value > 0x20 && value < 0x7F && !properties.isAlphabetic && properties.numericType == nil
    }
}

extension Collection {
    /// Splits before and after each of these elements. The others stay together.
    fileprivate func pieces(alone isAlone: (Element) -> Bool) -> [SubSequence] {
        var (pieces, start) = ([SubSequence](), startIndex)
        for place in indices where isAlone(self[place]) {
            if start < place { pieces.append(self[start..<place]) }
            start = index(after: place)
            pieces.append(self[place..<start])
        }
        return start < endIndex ? pieces + [self[start...]] : pieces
    }
}

extension BidirectionalCollection {
    fileprivate func trimming(_ isLeftOut: (Element) -> Bool) -> SubSequence {
        guard let first = firstIndex(where: { !isLeftOut($0) }), let last = lastIndex(where: { !isLeftOut($0) }) else {
            return self[endIndex...]
        }
        return self[first...last]
    }
}
