import Foundation
import HTTPClient
import SystemSupport
import UploadQueue

/// Rows of a project's tables. A row exists once, however often it is sent.
///
/// A row is a plain INSERT with an id made here, the least that a user must be allowed to do. `on_conflict` would need
/// rules for SELECT and UPDATE as well. If the id exists already, that is success.
struct SupabaseRows: Sendable {
    let calls: SupabaseCalls

    /// The outcome of an insert.
    enum Inserted: Equatable {
        case new
        /// The row exists: an earlier attempt arrived, and only its answer was lost.
        case before
        /// Another row has a value that must be unique.
        case instead
    }

    func insert(_ row: some Encodable, into table: String) async throws(DeliveryFailure) -> Inserted {
        let answer = try await calls.ask(
            .postgrest, "POST", "/rest/v1/\(table)",
            [("Content-Type", "application/json"), ("Content-Profile", "public"), ("Prefer", "return=minimal")],
            body: .bytes(json(row)))
        if answer.verdict == .alreadyThere, let error = answer.error { return conflict(error) }
        let response = try answer.done()
        // The genuine answer is empty. A page of another server isn't.
        guard response.status == 201, response.body.isEmpty else { throw answer.unbelievable("PostgREST's 201") }
        return .new
    }

    /// Decides which constraint caused a conflict. PostgreSQL shows the values ("Key (id)=…") only without row-level
    /// rules, so the constraint's name decides. `responses_pkey` is PostgreSQL's default name for a primary key.
    private func conflict(_ error: ServerError) -> Inserted {
        guard let name = error.message.split(separator: "\"").dropFirst().first else { return .before }
        return name.hasSuffix("pkey") || name.hasSuffix("_pk") ? .before : .instead
    }

    /// Changes exactly the row with an id.
    ///
    /// If row-level rules hide the row, PostgREST answers an UPDATE as if it had succeeded, unless the request asks for
    /// the changed row. This function therefore asks for `return=representation` and a single object: if nothing
    /// changed, the answer is a 406, and otherwise it contains the row.
    ///
    /// - Parameter filter: Further conditions on the row.
    /// - Returns: Whether a row was changed. false if no such row exists, or it is hidden.
    func change(
        _ table: String, id: String, where filter: String? = nil, to row: some Encodable
    ) async throws(DeliveryFailure) -> Bool {
        let answer = try await calls.ask(
            .postgrest, "PATCH", "/rest/v1/\(table)?id=eq.\(id)\(filter.map { "&\($0)" } ?? "")&select=id",
            [
                ("Content-Type", "application/json"), ("Content-Profile", "public"),
                ("Prefer", "return=representation"), Self.oneObject,
            ],
            body: .bytes(json(row)))
        if answer.error?.code == "PGRST116" { return false }
        guard try decode(Changed.self, answer).id.lowercased() == id.lowercased() else {
            throw answer.unbelievable("the changed row")
        }
        return true
    }

    private struct Changed: Decodable { var id: String }

    /// Returns one row; nil if it doesn't exist or is hidden.
    func one<Row: Decodable>(
        _ type: Row.Type, _ table: String, where filter: String
    ) async throws(DeliveryFailure) -> Row? {
        let answer = try await read(table, where: filter, [Self.oneObject])
        if answer.error?.code == "PGRST116" { return nil }
        return try decode(type, answer)
    }

    /// Returns all rows, or as many as the project returns at once (1,000 by default).
    func all<Row: Decodable>(
        _ type: Row.Type, _ table: String, where filter: String
    ) async throws(DeliveryFailure) -> [Row] {
        try decode([Row].self, await read(table, where: filter, []))
    }

    private func read(
        _ table: String, where filter: String, _ headers: [(String, String)]
    ) async throws(DeliveryFailure) -> Answer {
        try await calls.ask(
            .postgrest, "GET", "/rest/v1/\(table)?\(filter)", [("Accept-Profile", "public")] + headers)
    }

    private func decode<Value: Decodable>(_ type: Value.Type, _ answer: Answer) throws(DeliveryFailure) -> Value {
        let response = try answer.done()
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        guard let value = try? decoder.decodeForeign(type, from: Data(response.body)) else {
            throw answer.unbelievable("the rows that were asked for")
        }
        return value
    }

    private static let oneObject = ("Accept", "application/vnd.pgrst.object+json")

    private func json(_ row: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Encoding fails only for numbers that JSON can't represent, and a recording's length is finite.
        return Array((try? encoder.encode(row)) ?? Data())
    }
}
