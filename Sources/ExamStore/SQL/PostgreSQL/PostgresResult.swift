import CPostgres
import Glibc

/// PostgreSQL's answer to one statement. It is freed with this object.
final class PostgresResult {
    private let handle: OpaquePointer

    init(_ handle: OpaquePointer) { self.handle = handle }

    deinit { PQclear(handle) }

    /// An error of a statement.
    struct Failure {
        /// SQLSTATE.
        var state: String
        /// The server's message, which may repeat values.
        var message: String
        /// The name of the constraint or column concerned, if any.
        var name: String
        var detail: String
        var hint: String
    }

    var error: Failure? {
        switch PQresultStatus(handle) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: nil
        default:
            Failure(
                state: field("C"), message: field("M"), name: field("n").isEmpty ? field("c") : field("n"),
                detail: field("D"), hint: field("H"))
        }
    }

    /// Codes of fields are letters (postgresql.org/docs/15/protocol-error-fields.html).
    private func field(_ code: Character) -> String {
        PQresultErrorField(handle, Int32(code.asciiValue!)).map { String(cString: $0) } ?? ""
    }

    var commandWord: String { String(cString: PQcmdStatus(handle)) }

    var changedCount: Int { Int(String(cString: PQcmdTuples(handle))) ?? 0 }

    /// All values as PostgreSQL writes them. Nil is NULL.
    var texts: [[String?]] {
        (0..<PQntuples(handle)).map { row in
            (0..<PQnfields(handle)).map { column in
                guard PQgetisnull(handle, row, column) == 0 else { return nil }
                return String(cString: PQgetvalue(handle, row, column))
            }
        }
    }

    var rows: [SQLRow] {
        let columns = 0..<PQnfields(handle)
        var places: [String: Int] = [:]
        for column in columns { places[String(cString: PQfname(handle, column))] = Int(column) }
        let types = columns.map { PQftype(handle, $0) }
        return (0..<PQntuples(handle)).map { row in
            SQLRow(places: places, values: columns.map { value(row, $0, type: types[Int($0)]) })
        }
    }

    /// Returns a value. Results are text, and their types are identified by the numbers of `pg_type`, which never
    /// change.
    private func value(_ row: Int32, _ column: Int32, type: Oid) -> SQLValue {
        if PQgetisnull(handle, row, column) == 1 { return .null }
        let bytes = UnsafeRawBufferPointer(
            start: PQgetvalue(handle, row, column), count: Int(PQgetlength(handle, row, column)))
        let text = String(decoding: bytes, as: UTF8.self)
        switch type {
        case 16: return .bool(text == "t")
        case 17: return .bytes(Self.unhexed(bytes.dropFirst(2)))  // \x00ff…
        case 20, 21, 23, 1700: return Int(text).map { .integer($0) } ?? Double(text).map { .real($0) } ?? .text(text)
        case 700, 701: return Double(text).map { .real($0) } ?? .text(text)
        // `2026-11-21 09:12:29+00`, with fractions of a second if another program wrote it.
        case 1184: return .text(text.prefix(10) + "T" + text.dropFirst(11).prefix(8) + "Z")
        default: return .text(text)
        }
    }

    private static func unhexed(_ digits: Slice<UnsafeRawBufferPointer>) -> [UInt8] {
        func value(_ digit: UInt8) -> UInt8 { digit <= UInt8(ascii: "9") ? digit - 48 : digit - 87 }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        var place = digits.startIndex
        while place + 1 < digits.endIndex {
            bytes.append(value(digits[place]) << 4 | value(digits[place + 1]))
            place += 2
        }
        return bytes
    }
}

/// Values in the form for libpq: text, except for bytes, which are binary. All values are in one piece of memory.
struct PostgresArguments {
    private var bytes: [UInt8] = []
    /// The offset of each value. Nil is NULL.
    private var offsets: [Int?] = []
    private var lengths: [Int32] = []
    private var formats: [Int32] = []
    /// The types. 0 means that the server infers the type, 17 is `bytea`.
    private(set) var types: [Oid] = []

    var count: Int { offsets.count }

    init(_ values: [(any SQLParameter)?]) throws(StoreError) {
        for value in values {
            let value = value?.sqlValue ?? .null
            try value.check()
            switch value {
            case .null: add(nil)
            case .text(let text): add(Array(text.utf8))
            case .integer(let number): add(Array("\(number)".utf8))
            case .real(let number): add(Array("\(number)".utf8))
            case .bool(let bool): add(Array(bool ? "t".utf8 : "f".utf8))
            case .bytes(let bytes): add(bytes, isBinary: true)
            }
        }
    }

    private mutating func add(_ value: [UInt8]?, isBinary: Bool = false) {
        offsets.append(value == nil ? nil : bytes.count)
        lengths.append(Int32(value?.count ?? 0))
        formats.append(isBinary ? 1 : 0)
        types.append(isBinary ? 17 : 0)
        bytes += (value ?? []) + [0]
    }

    /// Calls the body with pointers that are valid until it returns.
    func withPointers<Result>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<Int32>, UnsafePointer<Int32>) -> Result
    ) -> Result {
        bytes.withUnsafeBufferPointer { bytes in
            let start = UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
            let pointers = offsets.map { offset in offset.flatMap { start?.advanced(by: $0) } }
            return body(pointers, lengths, formats)
        }
    }
}

extension StoreError {
    /// Converts PostgreSQL's errors by class. Messages that may repeat values are not passed on.
    init(postgres error: PostgresResult.Failure) {
        let (kind, mayQuote): (Kind, Bool) =
            switch error.state {
            case "23505", "23503", "23P01": (.conflict, false)
            // insufficient_privilege: the message names the table and no value.
            case "42501": (.refused, true)
            // Raised by the triggers of `Schema.seals`.
            case "OR001": (.sealed, true)
            case _ where error.state.hasPrefix("22") || error.state.hasPrefix("23"): (.invalid, false)
            // A table that exists already or is missing, or a statement that this version does not know.
            case _ where error.state.hasPrefix("42") || error.state.hasPrefix("0A"): (.unusable, true)
            case "3D000", "28000", "28P01": (.unusable, false)
            // Timeouts, deadlocks, and a server that is shutting down, full or read-only.
            default: (.unavailable, true)
            }
        let words = mayQuote ? error.message : error.name
        self.init(kind, "PostgreSQL: \(error.state)" + (words.isEmpty ? "" : " \(words)"))
    }
}
