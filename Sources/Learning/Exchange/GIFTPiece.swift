/// A piece of a GIFT file: scalars, of which some are protected by a backslash and therefore do not act as marks.
struct GIFTPiece {
    /// Protected scalars have their highest bit set.
    private var scalars: ArraySlice<UInt32>

    private static let protected: UInt32 = 1 << 31
    private static let escapable: Set<Unicode.Scalar> = ["~", "=", "#", "{", "}", ":", "\\"]

    /// Reads a text. `\n` becomes a line break. A backslash before a character that needs no protection stays a
    /// backslash.
    init(_ text: some StringProtocol) {
        var scalars: [UInt32] = []
        var isEscaped = false
        for scalar in text.unicodeScalars {
            if isEscaped {
                isEscaped = false
                if Self.escapable.contains(scalar) {
                    scalars.append(scalar.value | Self.protected)
                    continue
                } else if scalar == "n" {
                    scalars.append(10 | Self.protected)
                    continue
                }
                scalars.append(0x5c)
            }
            if scalar == "\\" { isEscaped = true } else { scalars.append(scalar.value) }
        }
        if isEscaped { scalars.append(0x5c) }
        self.scalars = scalars[...]
    }

    private init(_ scalars: ArraySlice<UInt32>) { self.scalars = scalars }

    var isEmpty: Bool { scalars.isEmpty }

    /// The first scalar. Nil if it is protected.
    var first: Unicode.Scalar? { scalars.first.flatMap(Unicode.Scalar.init) }

    /// The piece without white space around it.
    var trimmed: GIFTPiece {
        var piece = scalars.drop(while: Self.isSpace)
        while let last = piece.last, Self.isSpace(last) { piece.removeLast() }
        return GIFTPiece(piece)
    }

    func dropFirst(_ count: Int = 1) -> GIFTPiece { GIFTPiece(scalars.dropFirst(count)) }

    func hasPrefix(_ text: String) -> Bool { scalars.starts(with: text.unicodeScalars.map(\.value)) }

    /// Returns this piece followed by a text and another piece.
    func joined(with text: String, _ other: GIFTPiece) -> GIFTPiece {
        GIFTPiece(scalars + text.unicodeScalars.map(\.value) + other.scalars)
    }

    func contains(_ text: String) -> Bool { parts(at: text) != nil }

    /// Returns the text before and after the first or last occurrence of a mark. Nil if the mark does not occur.
    func parts(at mark: String, last: Bool = false) -> (before: GIFTPiece, after: GIFTPiece)? {
        let mark = mark.unicodeScalars.map(\.value)
        guard scalars.count >= mark.count else { return nil }
        let starts = scalars.startIndex...(scalars.endIndex - mark.count)
        let isHere = { (place: Int) in scalars[place] == mark[0] && scalars[place...].starts(with: mark) }
        guard let place = last ? starts.last(where: isHere) : starts.first(where: isHere) else { return nil }
        return (GIFTPiece(scalars[..<place]), GIFTPiece(scalars[(place + mark.count)...]))
    }

    /// Returns the text before the first of these marks, and the text after each of them.
    func pieces(by marks: Set<Unicode.Scalar>) -> (before: GIFTPiece, pieces: [(mark: Unicode.Scalar, text: GIFTPiece)])
    {
        let places = scalars.indices.filter { Unicode.Scalar(scalars[$0]).map(marks.contains) ?? false }
        let ends = places.dropFirst() + [scalars.endIndex]
        return (
            GIFTPiece(scalars[..<(places.first ?? scalars.endIndex)]),
            zip(places, ends).compactMap { place, end in
                Unicode.Scalar(scalars[place]).map { ($0, GIFTPiece(scalars[(place + 1)..<end])) }
            }
        )
    }

    /// The piece as readers see it. Lines that were only broken to keep them short are joined again.
    var text: String {
        var text = String.UnicodeScalarView()
        var wait = false
        for scalar in scalars {
            if scalar == 10 || scalar == 13 {
                while text.last == " " || text.last == "\t" { text.removeLast() }
                wait = true
            } else if wait, scalar == 32 || scalar == 9 {
                continue
            } else if let own = Unicode.Scalar(scalar & ~Self.protected) {
                if wait, !text.isEmpty { text.append(" ") }
                wait = false
                text.append(own)
            }
        }
        return String(text)
    }

    private static func isSpace(_ scalar: UInt32) -> Bool { Unicode.Scalar(scalar)?.properties.isWhitespace ?? false }
}
