import Foundation

/// A row of a result with values by column name.
struct SQLRow: Sendable {
    /// The index of each column, shared by all rows of a result.
    let places: [String: Int]
    let values: [SQLValue]

    /// Returns a value.
    ///
    /// - Throws: `unusable` if the value is NULL or of another type, as in a database changed by another program.
    func value<Value: SQLReadable>(_ column: String) throws(StoreError) -> Value {
        guard let value: Value = try optional(column) else {
            throw StoreError(.unusable, "column \(column) of the database is empty")
        }
        return value
    }

    func optional<Value: SQLReadable>(_ column: String) throws(StoreError) -> Value? {
        guard let place = places[column] else { throw StoreError(.unusable, "the database has no column \(column)") }
        if values[place] == .null { return nil }
        guard let value = Value(sql: values[place]) else {
            throw StoreError(.unusable, "column \(column) of the database holds something else")
        }
        return value
    }

    /// Returns a value stored as JSON.
    func json<Value: Decodable>(_ column: String) throws(StoreError) -> Value? {
        guard let text: String = try optional(column) else { return nil }
        guard let value = try? JSONDecoder().decode(Value.self, from: Data(text.utf8)) else {
            throw StoreError(.unusable, "column \(column) of the database holds something else")
        }
        return value
    }
}

/// A type that a column can be read as.
protocol SQLReadable {
    init?(sql: SQLValue)
}

extension String: SQLReadable {
    init?(sql: SQLValue) {
        guard case .text(let text) = sql else { return nil }
        self = text
    }
}

extension Int: SQLReadable {
    init?(sql: SQLValue) {
        guard case .integer(let number) = sql else { return nil }
        self = number
    }
}

extension Double: SQLReadable {
    init?(sql: SQLValue) {
        switch sql {
        case .real(let number): self = number
        case .integer(let number): self = Double(number)
        default: return nil
        }
    }
}

extension Bool: SQLReadable {
    init?(sql: SQLValue) {
        switch sql {
        case .bool(let bool): self = bool
        case .integer(let number): self = number != 0  // SQLite's form.
        default: return nil
        }
    }
}

extension UUID: SQLReadable {
    init?(sql: SQLValue) {
        guard case .text(let text) = sql else { return nil }
        self.init(uuidString: text)
    }
}

extension [UInt8]: SQLReadable {
    init?(sql: SQLValue) {
        guard case .bytes(let bytes) = sql else { return nil }
        self = bytes
    }
}
