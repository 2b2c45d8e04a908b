// Text for terminals. It can contain no command to the terminal, and its width in columns is known well enough.

extension StringProtocol {
    /// The text without control characters, or characters that hide or reverse text. Line ends and tabs become spaces.
    ///
    /// Papers and notes come from outside. An escape sequence in them could do anything to a terminal.
    var cleaned: String {
        var scalars = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            if scalar.isSpacing { scalars.append(" ") } else if scalar.isHarmless { scalars.append(scalar) }
        }
        // Truncates a character of more scalars than any script needs, which is only meant to disturb the terminal.
        return String(String(scalars).map { $0.unicodeScalars.count > 8 ? Character($0.unicodeScalars.first!) : $0 })
    }

    /// The width in columns on a terminal.
    var columns: Int { reduce(0) { $0 + $1.columns } }

    /// Returns the text cut to `width` columns, with `ellipsis` at the end if it was cut.
    func clipped(to width: Int, ellipsis: String) -> String {
        guard columns > width else { return String(self) }
        var text = ""
        var room = width - ellipsis.columns
        for character in self {
            room -= character.columns
            if room < 0 { break }
            text.append(character)
        }
        return width < ellipsis.columns ? "" : text + ellipsis
    }

    /// Returns lines of at most `width` columns, broken between words. A longer word is broken anywhere.
    func wrapped(to width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in split(separator: " ") {
            if !line.isEmpty, line.columns + 1 + word.columns > width {
                lines.append(line)
                line = ""
            }
            if !line.isEmpty { line += " " }
            for character in word {
                if line.columns + character.columns > width, !line.isEmpty {
                    lines.append(line)
                    line = ""
                }
                line.append(character)
            }
        }
        return line.isEmpty ? lines : lines + [line]
    }

    /// Returns the text padded with spaces to `width` columns.
    func padded(to width: Int) -> String { self + String(repeating: " ", count: Swift.max(width - columns, 0)) }
}

extension Character {
    /// 2 for the scripts and pictures that terminals draw wide, otherwise 1. Uses the ranges of Unicode's East Asian
    /// Width that are in use, without its exceptions for single characters.
    var columns: Int {
        let value = unicodeScalars.first!.value
        switch value {
        case 0...0x10FF: return 1
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
            return 2
        default: return unicodeScalars.contains("\u{FE0F}") ? 2 : 1
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isSpacing: Bool {
        switch self {
        case "\t", "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": true
        default: false
        }
    }

    fileprivate var isHarmless: Bool {
        switch properties.generalCategory {
        case .control, .surrogate, .lineSeparator, .paragraphSeparator, .unassigned: false
        case .format: self == "\u{200C}" || self == "\u{200D}"  // Joiners, which some scripts need.
        default: true
        }
    }
}
