/// One picture of a whole screen as lines: a pure function of the candidate's desk and of the window's size.
///
/// ```
///  title · practice · paper          header
///  Question 1 · Part 2 of 3: Long turn
///  ─────────────────────────
///  PREPARE: you may write notes.     middle: state, words or card, notes
///  …
///  Time left    0:43 ████░░          footer, at the bottom: time, microphone, problem, keys
/// ```
struct ScreenFrame: Equatable {
    struct Line: Equatable {
        var text: String
        var ink = Ink.plain
    }

    /// The emphasis of a line. It is only decoration.
    enum Ink: Equatable { case plain, strong, faint, warning }

    /// The place of the next letter of the notes, counted from 0.
    struct Cursor: Equatable {
        var row: Int
        var column: Int
    }

    var lines: [Line]
    /// Nil if the candidate isn't writing.
    var cursor: Cursor?

    /// The frame as a single text, for tests and people.
    var picture: String { lines.map(\.text).joined(separator: "\n") }
}

extension ScreenFrame {
    /// The greatest height of a frame in rows. In a taller one, question and time would be too far apart for the eye.
    private static let highest = 30

    /// - Parameters:
    ///   - width: The width of the window in columns. Everything fits in 60; a narrower window cuts text.
    ///   - height: The height of the window in rows. Everything fits in 16; a lower window cuts text.
    init(_ desk: Desk, width: Int, height: Int, glyphs: Glyphs) {
        let width = max(width, 1)
        let height = min(max(height, 1), Self.highest)
        let parts = FrameParts(desk, columns: max(min(width - 4, 76), 1), glyphs: glyphs)
        let header = parts.header
        let footer = parts.footer
        let room = height - header.count - footer.count
        // The most spacious layout that leaves room for the notes. If none does, the one that shows the most of them.
        let sheet = desk.notesShown ? max(desk.notes.lines.count, 2) + 1 : 0
        func fits(_ way: FrameParts.Way, _ notes: Int) -> Bool { parts.middle(way).count + notes <= room }
        let way = FrameParts.Way.allCases.first { fits($0, sheet) } ?? (fits(.bare, min(sheet, 3)) ? .bare : .terse)
        var middle = parts.middle(way)
        var column: Int?
        if desk.notesShown {
            let notes = parts.notes(rows: room - middle.count - 1)
            middle += notes.lines
            column = notes.column
        }
        if middle.count > room { middle = Array(middle.prefix(max(room, 1))) }
        lines = header + middle
        if let column, !lines.isEmpty { cursor = Cursor(row: min(lines.count - 1, height - 1), column: column + 2) }
        lines += Array(repeating: Line(text: ""), count: max(height - lines.count - footer.count, 0))
        lines = Array((lines + footer).prefix(height)).map { line in
            guard !line.text.isEmpty else { return line }
            // The last column stays empty, because a terminal may wrap after a character there.
            let text = ("  " + line.text).clipped(to: max(width - 1, 1), ellipsis: glyphs.ellipsis)
            return Line(text: text, ink: line.ink)
        }
        if let at = cursor, at.column >= width { cursor = nil }
    }
}

extension ScreenFrame {
    /// A page with a footer at the bottom of the window, indented by two.
    ///
    /// - Parameter page: At most as many lines as the window has above the footer.
    init(page: [Line], footer: [Line], cursor: Cursor?, width: Int, height: Int, glyphs: Glyphs) {
        let gap = Array(repeating: Line(text: ""), count: max(0, max(height - footer.count, 1) - page.count))
        lines = (page + gap + footer).map { line in
            guard !line.text.isEmpty else { return line }
            let text = glyphs.text("  " + line.text.cleaned)
            return Line(text: text.clipped(to: max(width - 1, 1), ellipsis: glyphs.ellipsis), ink: line.ink)
        }
        self.cursor = cursor
    }
}
