/// One picture of a whole screen, as lines: a pure function of what lies before the candidate and of the window's size.
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

    /// How a line stands out, beside its words: decoration only.
    enum Ink: Equatable { case plain, strong, faint, warning }

    /// Where the next letter of the notes goes; counted from 0.
    struct Cursor: Equatable {
        var row: Int
        var column: Int
    }

    var lines: [Line]
    /// Nil where nothing is being written.
    var cursor: Cursor?

    /// As one text, for tests and people.
    var picture: String { lines.map(\.text).joined(separator: "\n") }
}

extension ScreenFrame {
    /// A screen is drawn no higher than this, so that the eye needs not wander from the question to the time.
    private static let highest = 30

    /// - Parameters:
    ///   - width: of the window in columns; 60 or more show everything, less is cut.
    ///   - height: of the window in rows; 16 or more show everything, less is cut.
    init(_ desk: Desk, width: Int, height: Int, glyphs: Glyphs) {
        let width = max(width, 1)
        let height = min(max(height, 1), Self.highest)
        let parts = FrameParts(desk, columns: max(min(width - 4, 76), 1), glyphs: glyphs)
        let header = parts.header
        let footer = parts.footer
        let room = height - header.count - footer.count
        // The most generous way that leaves the notes their room; where none does, what shows most of them.
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
            // The last column stays free: a terminal that stands behind it may be about to wrap.
            let text = ("  " + line.text).clipped(to: max(width - 1, 1), ellipsis: glyphs.ellipsis)
            return Line(text: text, ink: line.ink)
        }
        if let at = cursor, at.column >= width { cursor = nil }
    }
}

extension ScreenFrame {
    /// A page with a footer at the bottom of the window, indented by two.
    ///
    /// - Parameter page: no more lines than the window has above the footer.
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
