import Glibc

/// What stands on a terminal, and what must be sent to make it a new frame: changed lines only.
struct Canvas: Sendable {
    private let hasColour: Bool
    /// Nil where nobody knows.
    private var frame: ScreenFrame?

    init(hasColour: Bool) { self.hasColour = hasColour }

    /// Not where `NO_COLOR` is set to anything (no-color.org).
    static var colourIsWanted: Bool { getenv("NO_COLOR").map { $0.pointee == 0 } ?? true }

    /// The window changed, or somebody else wrote to it.
    mutating func forget() { frame = nil }

    /// - Returns: for one write; empty where nothing changed.
    mutating func paint(_ new: ScreenFrame) -> String {
        guard new != frame else { return "" }
        var text = ""
        if frame == nil { text += "\u{1B}[0m\u{1B}[2J" }
        let old = frame?.lines ?? []
        for (row, line) in new.lines.enumerated() where row >= old.count ? !line.text.isEmpty : old[row] != line {
            text += "\u{1B}[\(row + 1);1H" + escape(line.ink) + line.text + "\u{1B}[0m\u{1B}[K"
        }
        for row in new.lines.count..<max(old.count, new.lines.count) { text += "\u{1B}[\(row + 1);1H\u{1B}[K" }
        if let cursor = new.cursor {
            text += "\u{1B}[\(cursor.row + 1);\(cursor.column + 1)H\u{1B}[?25h"
        } else {
            text += "\u{1B}[?25l"
        }
        frame = new
        // Terminals that know it show a whole frame at once; the others ignore it.
        return "\u{1B}[?2026h\u{1B}[?25l" + text + "\u{1B}[?2026l"
    }

    private func escape(_ ink: ScreenFrame.Ink) -> String {
        switch ink {
        case .plain: ""
        case .strong: "\u{1B}[1m"
        case .faint: "\u{1B}[2m"
        case .warning: hasColour ? "\u{1B}[1;33m" : "\u{1B}[1m"
        }
    }
}
