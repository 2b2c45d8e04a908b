import Foundation
import SystemSupport

/// A database value.
package enum SQLValue: Equatable, Sendable {
    case null
    case text(String)
    case integer(Int)
    case real(Double)
    case bool(Bool)
    case bytes([UInt8])

    /// Rejects values that one database would store and the other would truncate or change.
    func check() throws(StoreError) {
        switch self {
        case .text(let text) where text.utf8.contains(0):
            // PostgreSQL cannot store such a text, and libpq would end it there.
            throw StoreError(.invalid, "a text has a NUL character in it")
        case .real(let number) where !number.isFinite:
            // SQLite turns it into NULL.
            throw StoreError(.invalid, "a number is infinite, or none")
        default: return
        }
    }
}

/// A type that a placeholder can stand for.
protocol SQLParameter: Sendable {
    var sqlValue: SQLValue { get }
}

extension String: SQLParameter { var sqlValue: SQLValue { .text(self) } }
extension Int: SQLParameter { var sqlValue: SQLValue { .integer(self) } }
extension Double: SQLParameter { var sqlValue: SQLValue { .real(self) } }
extension Bool: SQLParameter { var sqlValue: SQLValue { .bool(self) } }
extension [UInt8]: SQLParameter { var sqlValue: SQLValue { .bytes(self) } }
extension UUID: SQLParameter { var sqlValue: SQLValue { .text(name) } }

/// A time in the only form `2026-11-21T09:12:29Z`, so that times sort like text.
struct UTCTime: SQLParameter {
    let text: String

    init(_ text: String) throws(StoreError) {
        guard WallTime(utc: text) != nil else {
            throw StoreError(.invalid, "a date is not of the form 2026-11-21T09:12:29Z")
        }
        self.text = text
    }

    init?(_ text: String?) throws(StoreError) {
        guard let text else { return nil }
        try self.init(text)
    }

    var sqlValue: SQLValue { .text(text) }
}

/// A text that is JSON.
struct JSONText: SQLParameter {
    let text: String

    init?(_ text: String?) throws(StoreError) {
        guard let text else { return nil }
        guard (try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)) != nil else {
            throw StoreError(.invalid, "a text in the database is not valid JSON")
        }
        self.text = text
    }

    init?(_ value: (some Encodable)?) throws(StoreError) {
        guard let value else { return nil }
        guard let data = try? JSONEncoder().encode(value) else {
            throw StoreError(.invalid, "a value cannot be written as JSON")
        }
        text = String(decoding: data, as: UTF8.self)
    }

    var sqlValue: SQLValue { .text(text) }
}
