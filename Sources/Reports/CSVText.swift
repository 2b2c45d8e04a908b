/// Rows as RFC 4180 has them, but for the line ends, which are Unix's.
public enum CSVText {
    public static func text(_ rows: [[String]]) -> String {
        rows.map { row in row.map(field).joined(separator: ",") + "\n" }.joined()
    }

    /// In quotation marks where it needs them.
    private static func field(_ text: String) -> String {
        // By scalars, as readers look for them: an accent behind a comma makes another character of it, and no other separator.
        guard text.unicodeScalars.contains(where: { ",\"\r\n".unicodeScalars.contains($0) }) else { return text }
        let quoted = text.unicodeScalars.split(separator: "\"", omittingEmptySubsequences: false).map { String($0) }
        return "\"" + quoted.joined(separator: "\"\"") + "\""
    }
}
