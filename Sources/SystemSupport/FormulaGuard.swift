/// Protects the cells of a table that a spreadsheet opens. A spreadsheet runs a cell that begins with `=`, `+`, `-` or
/// `@` as a formula, and a formula can send the table's other cells to a web address.
///
/// The guard is an apostrophe, which spreadsheets take as "this is text". A text that contains an apostrophe itself
/// gets two of them, so that a reader can distinguish the guard from a quotation such as `'-ing' forms`.
extension String {
    /// The text to write into a table, with a guard if a spreadsheet could run it. Numbers stay as they are.
    package var guardedCell: String {
        guard let rest = afterApostrophes, Double(self) == nil else { return self }
        let own = unicodeScalars.count - rest.unicodeScalars.count
        let hasApostrophe = rest.unicodeScalars.contains("'")
        switch own {
        case 0: return (hasApostrophe ? "''" : "'") + self
        case 1 where hasApostrophe: return self
        default: return "''" + self
        }
    }

    /// The text without the guard of `guardedCell`.
    package var unguardedCell: String {
        guard let rest = afterApostrophes else { return self }
        let own = unicodeScalars.count - rest.unicodeScalars.count
        switch own {
        case 0: return self
        case 1: return rest.unicodeScalars.contains("'") ? self : String(rest)
        default: return String(unicodeScalars.dropFirst(2))
        }
    }

    /// The text after its leading apostrophes if a formula could begin there, otherwise nil. Spreadsheets skip a tab or
    /// a line end before a formula.
    private var afterApostrophes: Substring? {
        let rest = self[unicodeScalars.firstIndex { $0 != "'" }.map { $0..<endIndex } ?? endIndex..<endIndex]
        guard let first = rest.unicodeScalars.first, "=+-@\t\r\n＝＋－＠".unicodeScalars.contains(first) else {
            return nil
        }
        return rest
    }
}
