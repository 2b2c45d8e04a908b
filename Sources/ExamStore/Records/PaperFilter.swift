/// Sessions with some papers, or with all others.
public enum PaperFilter: Equatable, Sendable {
    /// Sessions with one of these papers.
    case only([String])
    /// Sessions with none of these papers.
    case without([String])

    /// All sessions.
    public static let all = PaperFilter.without([])

    /// Returns SQL that is true for the wanted sessions, with its values.
    ///
    /// - Parameter column: the column with the paper's id.
    func condition(on column: String) -> (String, [any SQLParameter]) {
        switch self {
        case .only(let papers): Self.condition(column, "IN", papers, ifEmpty: "FALSE")
        case .without(let papers): Self.condition(column, "NOT IN", papers, ifEmpty: "TRUE")
        }
    }

    private static func condition(
        _ column: String, _ relation: String, _ papers: [String], ifEmpty: String
    ) -> (String, [any SQLParameter]) {
        if papers.isEmpty { return (ifEmpty, []) }
        return ("\(column) \(relation) (\(papers.map { _ in "?" }.joined(separator: ", ")))", papers)
    }
}
