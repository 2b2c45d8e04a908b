/// A candidate's notes: a sheet of 20 lines to which text is appended.
struct Notes: Equatable, Sendable {
    static let maximumLines = 20
    static let maximumColumns = 72

    /// Never empty. The last line is the one being written.
    private(set) var lines = [""]

    init() {}

    /// Restores notes. Text that does not fit on the sheet is dropped.
    init(_ text: String) {
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if index > 0 { newLine() }
            for character in line.cleaned { write(character) }
        }
    }

    var text: String { lines.joined(separator: "\n") }
    var isEmpty: Bool { lines == [""] }

    /// Appends a character. A full line breaks before its last word. A full sheet takes nothing more.
    mutating func write(_ character: Character) {
        guard let character = String(character).cleaned.first else { return }  // Control characters are not text.
        var last = lines[lines.count - 1]
        last.append(character)  // May join the character before it, as an accent does.
        if last.columns <= Self.maximumColumns {
            lines[lines.count - 1] = last
        } else if lines.count < Self.maximumLines {
            breakLine(before: character)
        }
    }

    mutating func newLine() {
        guard lines.count < Self.maximumLines else { return }
        lines.append("")
    }

    /// Erases the last character, or the empty last line.
    mutating func erase() {
        if lines[lines.count - 1].isEmpty {
            if lines.count > 1 { lines.removeLast() }
        } else {
            lines[lines.count - 1].removeLast()
        }
    }

    mutating func eraseWord() {
        var last = lines[lines.count - 1]
        while last.last == " " { last.removeLast() }
        while let sign = last.last, sign != " " { last.removeLast() }
        lines[lines.count - 1] = last
    }

    mutating func eraseLine() { lines[lines.count - 1] = "" }

    private mutating func breakLine(before character: Character) {
        let full = lines[lines.count - 1]
        guard character != " " else { return lines.append("") }
        guard let space = full.lastIndex(of: " ") else { return lines.append(String(character)) }
        lines[lines.count - 1] = String(full[..<space])
        lines.append(full[full.index(after: space)...] + String(character))
    }
}
