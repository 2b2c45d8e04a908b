import Foundation

/// A request as one SQL statement. Its only column contains the rows as JSON, or nothing if no rows are wanted back.
struct RestStatement {
    let sql: String
    /// Whether the answer contains rows; otherwise it has PostgreSQL's count.
    let returnsRows: Bool

    init(_ call: StandInCall, _ query: RestQuery, columns: [String]) throws(RestRefusal) {
        let table = "public.\(StandInDatabase.named(query.table))"
        let returnsRows = call.preferences["return"] == "representation"
        let asked = query.selected(from: "r")
        func rows(of change: String) -> String {
            """
            WITH r AS (\(change) RETURNING x.*)
            SELECT coalesce(json_agg(row_to_json(a)), '[]')::text, count(*) FROM (SELECT \(asked) FROM r) a
            """
        }
        // Whether every row existed before. PostgreSQL marks the rows that it changed.
        func merged(by change: String) -> String {
            rows(of: change).replacing("RETURNING x.*", with: "RETURNING x.*, x.xmax::text <> '0' AS was_there")
                .replacing("count(*) FROM", with: "count(*), (SELECT bool_and(was_there) FROM r) FROM")
                .replacing(
                    "SELECT r.* FROM r",
                    with: "SELECT \(columns.map { "r.\(StandInDatabase.named($0))" }.joined(separator: ", ")) FROM r")
        }
        switch call.method {
        case "GET", "HEAD":
            // The names are resolved even without rows.
            let order = "\(query.whereClause)\(query.orderClause)\(query.pageClause)"
            sql = """
                SELECT coalesce(json_agg(row_to_json(a)), '[]')::text, count(*),
                (SELECT count(*) FROM \(table) AS x\(query.whereClause))
                FROM (SELECT \(query.selected(from: "x")) FROM \(table) AS x\(order)) a
                """
            self.returnsRows = true
            return
        case "POST":
            let (fields, body) = try Self.body(call, query, columns)
            let names = fields.map(StandInDatabase.named).joined(separator: ", ")
            var insert = """
                INSERT INTO \(table) AS x (\(names)) SELECT \(names) FROM json_populate_recordset(null::\(table), \(body))
                """
            if let resolution = call.preferences["resolution"] {
                let conflict = query.conflict.isEmpty ? ["id"] : query.conflict
                let target = conflict.map(StandInDatabase.named).joined(separator: ", ")
                let changes = fields.map { "\(StandInDatabase.named($0)) = EXCLUDED.\(StandInDatabase.named($0))" }
                insert += " ON CONFLICT (\(target)) DO "
                insert +=
                    resolution == "merge-duplicates" ? "UPDATE SET " + changes.joined(separator: ", ") : "NOTHING"
            }
            let merges = call.preferences["resolution"] == "merge-duplicates"
            sql = !returnsRows ? insert : merges ? merged(by: insert) : rows(of: insert)
        case "PATCH":
            let (fields, body) = try Self.body(call, query, columns)
            let changes = fields.map { "\(StandInDatabase.named($0)) = b.\(StandInDatabase.named($0))" }
            let change = """
                UPDATE \(table) AS x SET \(changes.joined(separator: ", "))
                FROM json_populate_recordset(null::\(table), \(body)) AS b\(query.whereClause)
                """
            sql = returnsRows ? rows(of: change) : change
        case "DELETE":
            let change = "DELETE FROM \(table) AS x\(query.whereClause)"
            sql = returnsRows ? rows(of: change) : change
        default:
            throw RestRefusal(status: 405, code: "PGRST117", words: "Unsupported HTTP method: \(call.method)")
        }
        self.returnsRows = returnsRows
    }

    /// Returns the given columns, and the rows as a JSON literal that is always a list.
    private static func body(
        _ call: StandInCall, _ query: RestQuery, _ columns: [String]
    ) throws(RestRefusal) -> (fields: [String], literal: String) {
        let any = try? JSONSerialization.jsonObject(with: Data(call.body))
        let rows = any as? [[String: Any]] ?? (any as? [String: Any]).map { [$0] }
        guard let rows, let first = rows.first else {
            throw RestRefusal(status: 400, code: "PGRST102", words: "Empty or invalid json")
        }
        let fields = query.bodyColumns ?? first.keys.sorted()
        guard query.bodyColumns != nil || rows.allSatisfy({ $0.keys.sorted() == fields }) else {
            throw RestRefusal(status: 400, code: "PGRST102", words: "All object keys must match")
        }
        for field in fields where !columns.contains(field) {
            throw RestRefusal(
                status: 400, code: "PGRST204",
                words: "Could not find the '\(field)' column of '\(query.table)' in the schema cache")
        }
        // Unchanged, because the form of a number matters to PostgreSQL.
        let text = String(decoding: call.body, as: UTF8.self)
        return (fields, StandInDatabase.quoted(any is [Any] ? text : "[\(text)]") + "::json")
    }
}
