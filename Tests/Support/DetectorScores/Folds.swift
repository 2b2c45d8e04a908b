/// Speakers in five groups for cross-validation: numbers fitted to four groups are tested on the fifth.
public enum Folds {
    public static let count = 5

    /// Returns each speaker's fold, 0 to 4: the index in the order of the names (by their UTF-8), modulo five. So the
    /// folds' sizes differ by at most one speaker, and a speaker has the same fold under every condition.
    ///
    /// - Parameter speakers: All speakers of a set. With more speakers the folds would differ.
    public static func folds(of speakers: some Sequence<String>) -> [String: Int] {
        let inOrder = Set(speakers).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        return Dictionary(uniqueKeysWithValues: inOrder.enumerated().map { ($1, $0 % count) })
    }
}
