/// The kinds of database on which all claims about the server's store are tested.
public enum Base: String, CaseIterable, Codable, Sendable, CustomStringConvertible {
    case sqlite, postgres

    public var description: String {
        switch self {
        case .sqlite: "SQLite"
        case .postgres: "PostgreSQL"
        }
    }

    /// The kind of database for the running test.
    ///
    /// - Throws: `StoreTrialFailure` if the test's suite has none of the traits `.bothStores` and `.store(only:)`.
    public static var current: Base {
        get throws(StoreTrialFailure) { try StoreScope.ofThisTest.base }
    }
}

/// The reason why a test has no database, in one plain sentence.
public struct StoreTrialFailure: Error, CustomStringConvertible {
    public var description: String
}
