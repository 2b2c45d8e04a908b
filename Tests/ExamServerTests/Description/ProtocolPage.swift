import Foundation

/// The parts of PROTOCOL.md that a program reads: its tables, and the exam at its end.
struct ProtocolPage {
    static let url = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../PROTOCOL.md")
    let text: String

    init() throws { text = try String(contentsOf: Self.url, encoding: .utf8) }

    /// Returns the rows of all tables whose first column has this heading, as cells without surrounding spaces.
    func rows(headed heading: String) -> [[String]] {
        var rows: [[String]] = []
        // The first line of a table is its heading.
        var (isTable, isInside) = (false, false)
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            guard line.hasPrefix("|") else {
                isTable = false
                continue
            }
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            if !isTable { isInside = cells.first == heading }
            if isTable, isInside, cells.first != "---" { rows.append(cells) }
            isTable = true
        }
        return rows
    }

    /// Returns the words in backticks of a cell: ``processing``, `closing`.
    static func names(_ cell: String) -> [String] {
        cell.matches(of: /`([^`]+)`/).map { String($0.1) }
    }

    /// Returns the names in the first cells.
    func names(headed heading: String) -> [String] { rows(headed: heading).flatMap { Self.names($0.first ?? "") } }

    /// The messages in the first cells of the message tables, with "…" for omitted parts.
    var messages: [String] { rows(headed: "message").compactMap { Self.names($0.first ?? "").first } }

    /// The text on one line, for sentences that continue on the next line.
    var unwrapped: String { text.replacing("\n", with: " ") }

    // MARK: - The exam

    private static let marks = ("<!-- trace -->\n```\n", "```\n<!-- end of trace -->")

    var trace: [String] {
        guard let begin = text.range(of: Self.marks.0), let end = text.range(of: Self.marks.1) else { return [] }
        return text[begin.upperBound..<end.lowerBound].split(separator: "\n").map(String.init)
    }

    func write(trace: [String]) throws {
        guard let begin = text.range(of: Self.marks.0), let end = text.range(of: Self.marks.1) else { return }
        let new = text[..<begin.upperBound] + trace.map { $0 + "\n" }.joined() + text[end.lowerBound...]
        try String(new).write(to: Self.url, atomically: true, encoding: .utf8)
    }
}
