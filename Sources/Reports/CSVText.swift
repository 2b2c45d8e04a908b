import SystemSupport

/// Rows in the format of RFC 4180, except that lines end as on Unix. Cells that a spreadsheet would compute as formulas
/// begin with an apostrophe.
public enum CSVText {
    public static func text(_ rows: [[String]]) -> String {
        rows.map { row in row.map(field).joined(separator: ",") + "\n" }.joined()
    }

    /// Returns the field, in quotation marks if it needs them.
    private static func field(_ cell: String) -> String {
        let text = cell.guardedCell
        // Looks at scalars, as readers of the file do. A comma followed by a combining accent is another `Character`,
        // but still a separator.
        guard text.unicodeScalars.contains(where: { ",\"\r\n".unicodeScalars.contains($0) }) else { return text }
        let quoted = text.unicodeScalars.split(separator: "\"", omittingEmptySubsequences: false).map { String($0) }
        return "\"" + quoted.joined(separator: "\"\"") + "\""
    }
}
