/// Speakers in five groups, for tuning by cross-validation: numbers fitted to four groups are tried on the fifth.
public enum Folds {
    public static let count = 5

    /// Each speaker's fold, 0 to 4: the place in the names' order (of their UTF-8), modulo five. So folds are as large as each other
    /// to one speaker, and a speaker has the same fold under every condition.
    ///
    /// - Parameter speakers: all of a set; more of them give others.
    public static func folds(of speakers: some Sequence<String>) -> [String: Int] {
        let inOrder = Set(speakers).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        return Dictionary(uniqueKeysWithValues: inOrder.enumerated().map { ($1, $0 % count) })
    }
}
