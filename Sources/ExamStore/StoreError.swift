/// What kept a store from doing what it was asked.
public struct StoreError: Error, Equatable, CustomStringConvertible, Sendable {
    public enum Kind: Equatable, Sendable {
        /// The database cannot be reached, or not written to, at this moment: ask again later.
        case unavailable
        /// The database was made by a newer version, is damaged, is not Oracy's, or its address is not valid.
        case unusable
        /// A row of another owner's or with other facts is there already.
        case conflict
        /// A value that no database keeps: a text with a NUL in it, a number that is none, a date or a word of another form.
        case invalid
        /// The user has as much as they may (`Allowance`).
        case full(Allowance.Shortage)
        /// The database refused a statement of this server's: a row-level policy or a missing privilege. The caller sent nothing wrong, and
        /// may ask again when an operator has mended it.
        case refused
        /// The exam is sealed: nothing of it changes any more.
        case sealed
        /// The server itself holds the exam: only the server stores its answers and ends it.
        case heldHere
    }

    public var kind: Kind
    /// What happened, for an operator: no values of rows, no secrets.
    public var message: String

    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    public var description: String { message }
}
