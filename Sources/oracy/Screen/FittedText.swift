import Glibc

/// The widths in columns of what is printed.
enum TerminalWidth {
    /// Narrower terminals get lines of this width.
    static let least = 40

    /// The width for lines to a descriptor: `COLUMNS` if it is set, otherwise that of the terminal. Nil if the
    /// descriptor is not a terminal: a program reads the lines, so they must stay whole.
    static func lines(to descriptor: Int32) -> Int? {
        if let chosen = getenv("COLUMNS").flatMap({ Int(String(cString: $0)) }), chosen > 0 {
            return max(chosen, least)
        }
        guard isatty(descriptor) == 1 else { return nil }
        return max(Terminal(output: descriptor).size.columns, least)
    }

    /// The width for tables and prose: at most 80, because longer lines are hard to read.
    static var layout: Int { min(lines(to: STDOUT_FILENO) ?? 80, 80) }
}

// Swift prefers these to its own `print`, because they have no default arguments. Every command uses them.

/// Prints text for people on standard output, in lines that fit the terminal.
func print(_ text: String) { print(text, terminator: "\n") }

/// Prints text for people on standard output, in lines that fit the terminal.
func print(_ text: String, terminator: String) {
    let width = TerminalWidth.lines(to: STDOUT_FILENO)
    Swift.print(width.map { text.fitted(to: $0) } ?? text, terminator: terminator)
}

/// Prints text on standard output.
///
/// - Parameter whole: Whether lines stay as they are, for programs: JSON, commands. Otherwise they fit the terminal.
func print(_ text: String, whole: Bool) {
    if whole { Swift.print(text) } else { print(text) }
}

extension String {
    /// Returns the text with lines of at most `width` columns, broken between words. A line's continuation is indented
    /// like its text: below the words of a list's item, or of a table's last column. A word that is wider than a line,
    /// such as a path, stays whole: the terminal breaks it, and it can still be copied.
    func fitted(to width: Int) -> String {
        split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.columns > width ? FittedLine(line, width: width).lines.joined(separator: "\n") : String(line)
        }.joined(separator: "\n")
    }
}

/// A line that is too wide for the terminal, as several lines.
private struct FittedLine {
    private(set) var lines: [String] = []
    private let width: Int
    private let indent: Int
    private let isCommand: Bool

    init(_ line: Substring, width: Int) {
        self.width = width
        // A command is to be copied: each line but the last ends in the shell's sign for "continued".
        isCommand = line.drop { $0 == " " }.hasPrefix("oracy ")
        indent = Self.indent(of: line, width)
        var current = ""
        var rest = line
        while !rest.isEmpty {
            let gap = rest.prefix { $0 == " " }
            let word = rest.dropFirst(gap.count).prefix { $0 != " " }
            rest = rest.dropFirst(gap.count + word.count)
            let reserve = isCommand && !rest.isEmpty ? 2 : 0
            if current.isEmpty {
                current = word.isEmpty ? String(gap) : Self.start(word, indent: gap.count, width: width - reserve)
            } else if current.columns + gap.count + word.columns + reserve <= width {
                current += gap + word
            } else if !word.isEmpty {
                lines.append(current + (isCommand ? " \\" : ""))
                current = Self.start(word, indent: indent, width: width - reserve)
            }
            // Scripts without spaces between words are broken between any two characters.
            while current.columns > width, let end = Self.wideBreak(in: current, width) {
                lines.append(String(current[..<end]))
                current = Self.start(current[end...], indent: indent, width: width)
            }
        }
        lines.append(current)
    }

    /// Returns a word at the indent, or further left if only then it fits.
    private static func start(_ word: Substring, indent: Int, width: Int) -> String {
        String(repeating: " ", count: max(0, min(indent, width - word.columns))) + word
    }

    /// Returns the place in a line at which a word of a script with wide characters can be broken. Nil if there is
    /// none.
    private static func wideBreak(in line: String, _ width: Int) -> String.Index? {
        var room = width
        var place: String.Index?
        for index in line.indices {
            let columns = line[index].columns
            if columns == 2 || index > line.startIndex && line[line.index(before: index)].columns == 2 { place = index }
            room -= columns
            if room < 0 { return place.flatMap { $0 > line.startIndex ? $0 : nil } }
        }
        return nil
    }

    /// Returns the indent for continuations: that of the text after the last gap of two spaces, if it leaves half of
    /// the width, or after `- `, `1. ` or `USAGE: `; otherwise the line's own.
    private static func indent(of line: Substring, _ width: Int) -> Int {
        let own = line.prefix { $0 == " " }.count
        var best = own
        var (column, spaces) = (0, 0)
        for character in line {
            if character == " " {
                spaces += 1
            } else {
                if spaces >= 2, column > own, column <= width / 2 { best = column }
                spaces = 0
            }
            column += character.columns
            if column > width { break }
        }
        if best > own { return best }
        let mark = line.dropFirst(own).prefix { $0 != " " }
        return ["-", "USAGE:", "Usage:", "Error:"].contains(mark) || mark.last == "." && Int(mark.dropLast()) != nil
            ? own + mark.count + 1 : own
    }
}
