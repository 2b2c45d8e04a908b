import Foundation
import HTTPClient
import SystemSupport
import UploadQueue

/// Rows of a project's tables, written so that each is there once however often it is sent (wire-contracts 2).
///
/// A row is a plain INSERT with an id made here: the least a user must be allowed. `on_conflict` would need rules for SELECT
/// and UPDATE as well. That the id is there already is success.
struct SupabaseRows: Sendable {
    let calls: SupabaseCalls

    /// What a conflict was about.
    enum Inserted: Equatable {
        case new
        /// The row is there: an earlier attempt arrived, and only its answer was lost.
        case before
        /// Another row has what must be unique.
        case instead
    }

    func insert(_ row: some Encodable, into table: String) async throws(DeliveryFailure) -> Inserted {
        let answer = try await calls.ask(
            .postgrest, "POST", "/rest/v1/\(table)",
            [("Content-Type", "application/json"), ("Content-Profile", "public"), ("Prefer", "return=minimal")],
            body: .bytes(json(row)))
        if answer.verdict == .alreadyThere, let error = answer.error { return conflict(error) }
        let response = try answer.done()
        // As asked for, it says nothing else: a page of somebody's does.
        guard response.status == 201, response.body.isEmpty else { throw answer.unbelievable("PostgREST's 201") }
        return .new
    }

    /// PostgreSQL says which constraint it was. It shows the values ("Key (id)=…") only where no row-level rules are, so the
    /// constraint's name counts: `responses_pkey` is what PostgreSQL calls a primary key that nobody named.
    private func conflict(_ error: ServerError) -> Inserted {
        guard let name = error.message.split(separator: "\"").dropFirst().first else { return .before }
        return name.hasSuffix("pkey") || name.hasSuffix("_pk") ? .before : .instead
    }

    /// Changes exactly the row of an id.
    ///
    /// An UPDATE that row-level rules hide is answered like one that was done, unless the row is asked for: `return=
    /// representation` and one object, so that nothing changed is a 406; and the answer names the row.
    ///
    /// - Parameter filter: what the row must be like besides.
    /// - Returns: false where no row was changed: there is none like that, or it is hidden.
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

    /// One row, nil where there is none, or it is hidden.
    func one<Row: Decodable>(
        _ type: Row.Type, _ table: String, where filter: String
    ) async throws(DeliveryFailure) -> Row? {
        let answer = try await read(table, where: filter, [Self.oneObject])
        if answer.error?.code == "PGRST116" { return nil }
        return try decode(type, answer)
    }

    /// All rows, or as many as the project gives at once (1,000 unless it is set up otherwise).
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
        // Only numbers that JSON cannot hold fail, and a recording's length is finite.
        return Array((try? encoder.encode(row)) ?? Data())
    }
}
