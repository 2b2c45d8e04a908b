import Foundation
import GRDB

/// An open SQLite transaction.
final class SQLiteConnection: SQLConnection {
    private let database: Database
    private let spelling: (String) -> String
    /// The announcements to deliver once this is committed.
    private(set) var news: Set<News> = []

    init(_ database: Database, spelling: @escaping (String) -> String) {
        self.database = database
        self.spelling = spelling
    }

    func rows(_ sql: String, _ values: [(any SQLParameter)?]) throws(StoreError) -> [SQLRow] {
        let arguments = try arguments(values)
        do {
            let statement = try database.cachedStatement(sql: spelling(sql))
            let cursor = try Row.fetchCursor(statement, arguments: arguments)
            let places = Dictionary(
                statement.columnNames.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
            var rows: [SQLRow] = []
            while let row = try cursor.next() {
                rows.append(
                    SQLRow(places: places, values: (0..<row.count).map { Self.value(row[$0] as DatabaseValue) }))
            }
            return rows
        } catch {
            throw StoreError(sqlite: error)
        }
    }

    func change(_ sql: String, _ values: [(any SQLParameter)?]) throws(StoreError) -> Int {
        let arguments = try arguments(values)
        do {
            try database.cachedStatement(sql: spelling(sql)).execute(arguments: arguments)
            return database.changesCount
        } catch {
            throw StoreError(sqlite: error)
        }
    }

    func announce(_ news: News) { self.news.insert(news) }

    private func arguments(_ values: [(any SQLParameter)?]) throws(StoreError) -> StatementArguments {
        var arguments: [DatabaseValue] = []
        for value in values {
            let value = value?.sqlValue ?? .null
            try value.check()
            arguments.append(Self.argument(value))
        }
        return StatementArguments(arguments)
    }

    private static func argument(_ value: SQLValue) -> DatabaseValue {
        switch value {
        case .null: .null
        case .text(let text): text.databaseValue
        case .integer(let number): number.databaseValue
        case .real(let number): number.databaseValue
        case .bool(let bool): bool.databaseValue
        case .bytes(let bytes): Data(bytes).databaseValue
        }
    }

    private static func value(_ value: DatabaseValue) -> SQLValue {
        switch value.storage {
        case .null: .null
        case .int64(let number): .integer(Int(number))
        case .double(let number): .real(number)
        case .string(let text): .text(text)
        case .blob(let data): .bytes(Array(data))
        }
    }
}

extension StoreError {
    /// Converts SQLite's errors. Their messages name tables and columns but never values.
    init(sqlite error: any Error) {
        guard let error = error as? DatabaseError else {
            self.init(thrown: error)
            return
        }
        self.init(Self.kind(error), "SQLite: \(error.message ?? "\(error.extendedResultCode)")")
    }

    private static func kind(_ error: DatabaseError) -> Kind {
        switch error.extendedResultCode {
        case .SQLITE_CONSTRAINT_UNIQUE, .SQLITE_CONSTRAINT_PRIMARYKEY, .SQLITE_CONSTRAINT_FOREIGNKEY: return .conflict
        // Raised by the triggers of `Schema.seals`, and by no others.
        case .SQLITE_CONSTRAINT_TRIGGER: return .sealed
        default: break
        }
        switch error.resultCode {
        case .SQLITE_CONSTRAINT, .SQLITE_TOOBIG, .SQLITE_MISMATCH: return .invalid
        case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR, .SQLITE_SCHEMA: return .unusable
        // Busy, full, read-only or unreachable: the problem may disappear.
        default: return .unavailable
        }
    }
}
