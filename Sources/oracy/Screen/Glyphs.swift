import Glibc

/// The characters that a terminal can draw with.
enum Glyphs: Sendable {
    case unicode
    /// For locales other than UTF-8.
    case ascii

    /// The glyphs for the user's locale. The first of these variables that is set decides, as in POSIX.
    static var ofLocale: Glyphs {
        for name in ["LC_ALL", "LC_CTYPE", "LANG"] {
            guard let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty else { continue }
            let charset = value.lowercased().filter { $0 != "-" }
            return charset.contains("utf8") ? .unicode : .ascii
        }
        return .ascii
    }

    var rule: String { pick("─", "-") }
    var wall: String { pick("│", "|") }
    var corners: (topLeft: String, topRight: String, bottomLeft: String, bottomRight: String) {
        switch self {
        case .unicode: ("╭", "╮", "╰", "╯")
        case .ascii: ("+", "+", "+", "+")
        }
    }
    var bullet: String { pick("•", "-") }
    var dot: String { pick("·", "-") }
    var ellipsis: String { pick("…", "...") }

    /// Returns a bar of `columns` columns, filled to `share`.
    func bar(_ share: Double, columns: Int) -> String {
        let filled = min(max(Int((share * Double(columns)).rounded()), 0), columns)
        let bar =
            String(repeating: pick("█", "#"), count: filled)
            + String(repeating: pick("░", "."), count: columns - filled)
        return self == .ascii ? "[\(bar)]" : bar
    }

    /// Returns text that this terminal can show and that cannot harm it.
    func text(_ text: some StringProtocol) -> String {
        let clean = text.cleaned
        guard self == .ascii else { return clean }
        return clean.map { character in
            switch character {
            case "’", "‘": "'"
            case "“", "”", "„": "\""
            case "–", "—", "−": "-"
            case "…": "..."
            case "•", "·": "-"
            case "\u{A0}": " "
            default: character.isASCII ? String(character) : "?"
            }
        }.joined()
    }

    private func pick(_ unicode: String, _ ascii: String) -> String { self == .unicode ? unicode : ascii }
}
