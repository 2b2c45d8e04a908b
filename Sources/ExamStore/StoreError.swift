/// What kept a store from doing what it was asked.
public struct StoreError: Error, Equatable, Sendable {
    public enum Kind: Sendable {
        /// The database cannot be reached, or not written to, at this moment: ask again later.
        case unavailable
        /// The database was made by a newer version, is damaged, or is none of ours.
        case unusable
        /// A row of another owner's or with other facts is there already.
        case conflict
    }

    public var kind: Kind
    /// What happened, for an operator: no values of rows, no secrets.
    public var words: String

    public init(_ kind: Kind, _ words: String) {
        self.kind = kind
        self.words = words
    }
}
