import Glibc

/// The content of a terminal, and the text to send to turn it into a new frame: changed lines only.
struct Canvas: Sendable {
    private let hasColour: Bool
    /// The current content; nil if unknown.
    private var frame: ScreenFrame?

    init(hasColour: Bool) { self.hasColour = hasColour }

    /// Whether to use colours: not if `NO_COLOR` is set to anything (no-color.org).
    static var colourIsWanted: Bool { getenv("NO_COLOR").map { $0.pointee == 0 } ?? true }

    /// Forgets the content, because the window changed or another program wrote to it.
    mutating func forget() { frame = nil }

    /// - Returns: The text for a single write; empty if nothing changed.
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
        // Terminals that support it show the whole frame at once. The others ignore it.
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
