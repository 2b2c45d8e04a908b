/// Rows as RFC 4180 has them, but for the line ends, which are Unix's.
public enum CSVText {
    public static func text(_ rows: [[String]]) -> String {
        rows.map { row in row.map(field).joined(separator: ",") + "\n" }.joined()
    }

    /// In quotation marks where it needs them.
    private static func field(_ text: String) -> String {
        guard text.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return text }
        return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
