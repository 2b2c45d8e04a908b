@_spi(_Unicode) import Swift

extension String {
    /// The text with each letter and its accents as one code point, where Unicode has one (normalisation form C).
    ///
    /// The standard library composes texts to compare them, but offers the result only through its internal Unicode
    /// functions. Foundation has a function for it, but this target does not import Foundation.
    package var composed: String {
        // Most texts are plain ASCII, which is composed already.
        guard utf8.contains(where: { $0 >= 0x80 }) else { return self }
        var scalars = String.UnicodeScalarView()
        for scalar in _nfc { scalars.append(scalar) }
        return String(scalars)
    }
}
