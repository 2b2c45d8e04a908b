@_spi(_Unicode) import Swift

extension String {
    /// The text with each letter and its accents as one code point, where Unicode has one (normalisation form C).
    ///
    /// The standard library composes texts to compare them, but offers the result only to those who ask for its
    /// internal Unicode functions. Foundation would be the alternative, and this target does without it.
    package var composed: String {
        // Most texts are plain ASCII, which is composed already.
        guard utf8.contains(where: { $0 >= 0x80 }) else { return self }
        var scalars = String.UnicodeScalarView()
        for scalar in _nfc { scalars.append(scalar) }
        return String(scalars)
    }
}
