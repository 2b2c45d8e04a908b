/// The reason why a store could not carry out a call.
public struct StoreError: Error, Equatable, CustomStringConvertible, Sendable {
    public enum Kind: Equatable, Sendable {
        /// The database cannot be reached or written to at this moment. Try again later.
        case unavailable
        /// The database was made by a newer version, is damaged, is not Oracy's, or its address is not valid.
        case unusable
        /// There is already a row of another owner or with other facts.
        case conflict
        /// The database cannot store the value: a text with a NUL, a number that is not finite, or a date or word in
        /// another form.
        case invalid
        /// The user has reached a limit (`Allowance`).
        case full(Allowance.Shortage)
        /// The database refused a statement of this server because of a row-level policy or a missing privilege. The
        /// caller's request was valid, and may succeed after an operator has fixed the database.
        case refused
        /// The exam is sealed and can no longer change.
        case sealed
        /// The server itself holds the exam: only the server stores its answers and ends it.
        case heldHere
    }

    public var kind: Kind
    /// The message for an operator. It contains no values of rows and no secrets.
    public var message: String

    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    public var description: String { message }
}
