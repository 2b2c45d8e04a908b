/// The databases that every claim about the server's store is tried on.
public enum Base: String, CaseIterable, Codable, Sendable, CustomStringConvertible {
    case sqlite, postgres

    public var description: String {
        switch self {
        case .sqlite: "SQLite"
        case .postgres: "PostgreSQL"
        }
    }

    /// The database that the running test is tried on.
    ///
    /// - Throws: `StoreTrialFailure` if the test's suite has none of the traits `.bothStores` and `.store(only:)`.
    public static var current: Base {
        get throws(StoreTrialFailure) { try StoreScope.ofThisTest.base }
    }
}

/// Why a test has no database, in one plain sentence.
public struct StoreTrialFailure: Error, CustomStringConvertible {
    public var description: String
}
