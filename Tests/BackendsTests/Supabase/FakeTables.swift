import Foundation
import HTTPClient

@testable import Backends

/// PostgREST over tables with row-level rules, as section 2 has it.
///
/// In PostgreSQL's own order: rules, then keys that must be unique, then rows that must be there. With row-level rules it
/// does not say which values were in the way (`BuildIndexValueDescription` in its source), so neither does this.
struct FakeTables: Sendable {
    enum Rule: CaseIterable { case select, insert, update }

    struct Table: Sendable {
        var columns: Set<String>
        /// Unique besides the id; empty: none.
        var unique: [String] = []
        /// Column, and the table whose id it is.
        var parents: [String: String] = [:]
        /// What users may do with their own rows.
        var rules = Set(Rule.allCases)
        /// Whether a row may be added without its session being the user's, or there at all.
        var asksForSession = true
        var rows: [[String: Value]] = []
    }

    enum Value: Equatable, Sendable {
        case text(String)
        case number(Double)
        case truth(Bool)
        case null

        init(_ any: Any?) {
            switch any {
            // Numbers before truths: a JSON 1 is an NSNumber, as `true` is.
            case let text as String: self = .text(text)
            case let number as NSNumber:
                self = String(cString: number.objCType) == "c" ? .truth(number.boolValue) : .number(number.doubleValue)
            default: self = .null
            }
        }

        var json: Any {
            switch self {
            case .text(let text): text
            case .number(let number): number
            case .truth(let truth): truth
            case .null: NSNull()
            }
        }

        var text: String {
            switch self {
            case .text(let text): text
            case .number(let number): number == number.rounded() ? String(Int(number)) : String(number)
            case .truth(let truth): String(truth)
            case .null: ""
            }
        }
    }

    static let template = "550e8400-e29b-41d4-a716-446655440000"

    /// 13, or 12, whose word for an expired token was another.
    var version = 13
    /// D3 to D6.
    var tables: [String: Table] = [
        "test_templates": Table(columns: ["id", "title"], rules: [.select], rows: [["id": .text(template)]]),
        "questions": Table(
            columns: ["id", "test_template_id", "part_number", "question_order", "question_text"], rules: [.select],
            rows: (1...3).flatMap { part in
                (1...4).map { order in
                    [
                        "id": .text(question(part, order)), "test_template_id": .text(template),
                        "part_number": .number(Double(part)), "question_order": .number(Double(order)),
                    ]
                }
            }),
        "test_sessions": Table(
            columns: [
                "id", "user_id", "test_template_id", "status", "started_at", "completed_at", "completed_responses",
                "all_responses_uploaded", "overall_band_score", "fluency_score", "pronunciation_score",
                "grammar_score", "vocabulary_score", "topic_relevance_score", "expected_responses",
            ],
            parents: ["test_template_id": "test_templates"]),
        "responses": Table(
            columns: [
                "id", "test_session_id", "question_id", "audio_file_path", "wav_file_path", "transcript",
                "duration_seconds", "is_processed", "processing_order", "error_message", "created_at", "uploaded_at",
                "evaluated_at", "upload_status", "processing_status",
            ],
            unique: ["test_session_id", "question_id"],
            parents: ["test_session_id": "test_sessions", "question_id": "questions"]),
        "processing_queue": Table(
            columns: [
                "id", "session_id", "test_session_id", "status", "priority", "queued_at", "retry_count",
                "error_message", "max_retries",
            ],
            parents: ["test_session_id": "test_sessions"]),
    ]

    static func question(_ part: Int, _ order: Int) -> String { "00000000-0000-4000-8000-0000000\(part)000\(order)" }

    func rows(_ table: String) -> [[String: Value]] { tables[table]?.rows ?? [] }

    mutating func answer(_ call: FakeCall, _ auth: FakeAuth, _ complaints: inout [String]) -> HTTPResponse {
        let name = call.path.replacing("/rest/v1/", with: "")
        var user: String?
        if let bearer = call.bearer {
            switch auth.flaw(in: bearer, at: call.now) {
            case .parts(let count): return Self.error(401, "PGRST301", "Expected 3 parts in JWT; got \(count)")
            case .unknown: return Self.error(401, "PGRST301", "JWSError JWSInvalidSignature")
            // 30 s of difference between clocks are allowed.
            case .expired(let since) where since > 30:
                return Self.error(401, version >= 13 ? "PGRST303" : "PGRST301", "JWT expired")
            case .expired, nil: user = FakeAuth.user
            }
        }
        guard let table = tables[name] else {
            complaints.append("an unknown table")
            return Self.error(404, "PGRST205", "Could not find the table 'public.\(name)' in the schema cache")
        }
        let query = call.parts.queryItems ?? []
        for item in query where !["select", "order"].contains(item.name) && !table.columns.contains(item.name) {
            complaints.append("a filter by an unknown column")
            return Self.error(400, "42703", "column \(name).\(item.name) does not exist")
        }
        if call.method != "GET" {
            guard call["Content-Type"] == "application/json" else {
                complaints.append("not JSON")
                return Self.error(415, "PGRST107", "Content-Type not acceptable")
            }
            if call["Content-Profile"] != "public" { complaints.append("no Content-Profile") }
            for column in call.fields.keys.sorted() where !table.columns.contains(column) {
                complaints.append("an unknown column")
                return Self.error(
                    400, "PGRST204", "Could not find the '\(column)' column of '\(name)' in the schema cache")
            }
        } else if call["Accept-Profile"] != "public" {
            complaints.append("no Accept-Profile")
        }
        switch call.method {
        case "POST": return insert(call, name, user, &complaints)
        case "PATCH": return update(call, name, user, &complaints)
        case "GET": return rows(matching(query, in: name, for: user, [.select]), call, query)
        default:
            complaints.append("an unknown method")
            return Self.error(405, "PGRST117", "Unsupported HTTP method")
        }
    }

    private mutating func insert(
        _ call: FakeCall, _ name: String, _ user: String?, _ complaints: inout [String]
    ) -> HTTPResponse {
        let table = tables[name]!
        let row = call.fields.mapValues { Value($0) }
        guard ["return=minimal", "return=representation"].contains(call["Prefer"] ?? "") else {
            complaints.append("another Prefer")
            return Self.error(400, "PGRST122", "Invalid preferences given with handling=strict")
        }
        if call["Prefer"] == "return=representation" && !table.rules.contains(.select) {
            return Self.denied(name, user)
        }
        guard table.rules.contains(.insert), let user, isOwn(row, name, user) else { return Self.denied(name, user) }
        for (column, value) in row where column == "id" || column.hasSuffix("_id") {
            guard case .text(let text) = value, UUID(uuidString: text) != nil else {
                complaints.append("no UUID")
                return Self.error(400, "22P02", "invalid input syntax for type uuid: \"\(value.text)\"")
            }
        }
        guard row["id"] != nil else {
            complaints.append("a row without an id of the client's")
            return Self.error(400, "23502", "null value in column \"id\"")
        }
        if name == "test_sessions", row["status"] != .text("in_progress") {
            return Self.error(400, "23514", "new row for relation \"test_sessions\" violates check constraint")
        }
        if table.rows.contains(where: { $0["id"] == row["id"] }) { return Self.duplicate(name, "\(name)_pkey") }
        // NULL is equal to nothing.
        let isWhole = !table.unique.isEmpty && table.unique.allSatisfy { row[$0] ?? .null != .null }
        if isWhole, table.rows.contains(where: { old in table.unique.allSatisfy { old[$0] == row[$0] } }) {
            return Self.duplicate(name, "\(name)_\(table.unique.joined(separator: "_"))_key")
        }
        for (column, parent) in table.parents.sorted(by: { $0.key < $1.key }) {
            guard let id = row[column], id != .null else { continue }
            guard tables[parent]!.rows.contains(where: { $0["id"] == id }) else {
                let words =
                    "insert or update on table \"\(name)\" violates foreign key constraint \"\(name)_\(column)_fkey\""
                return Self.error(409, "23503", words)
            }
        }
        tables[name]!.rows.append(row)
        return call["Prefer"] == "return=minimal"
            ? .text(201) : HTTPResponse(status: 201, body: Self.json([row], ["id"]))
    }

    private mutating func update(
        _ call: FakeCall, _ name: String, _ user: String?, _ complaints: inout [String]
    ) -> HTTPResponse {
        let query = call.parts.queryItems ?? []
        if !query.contains(where: { $0.name == "id" }) { complaints.append("a change of more than one row") }
        // Rows that rules hide are not there, and that is no error.
        let found = matching(query, in: name, for: user, [.select, .update])
        let wantsOne = call["Accept"] == "application/vnd.pgrst.object+json"
        guard call["Prefer"] == "return=representation", wantsOne else {
            complaints.append("a change that cannot be told from none")
            return .text(204)
        }
        guard found.count == 1 else { return Self.notOne(found.count) }
        let change = call.fields.mapValues { Value($0) }
        let index = tables[name]!.rows.firstIndex { $0["id"] == found[0]["id"] }!
        tables[name]!.rows[index].merge(change) { _, new in new }
        return rows([tables[name]!.rows[index]], call, query)
    }

    private func rows(_ found: [[String: Value]], _ call: FakeCall, _ query: [URLQueryItem]) -> HTTPResponse {
        let select = query.first { $0.name == "select" }?.value ?? ""
        let columns = select.split(separator: ",").map(String.init)
        guard call["Accept"] == "application/vnd.pgrst.object+json" else {
            return HTTPResponse(status: 200, body: Self.json(found, columns))
        }
        guard found.count == 1 else { return Self.notOne(found.count) }
        return HTTPResponse(status: 200, body: Array(Self.json(found, columns).dropFirst().dropLast()))
    }

    private func matching(
        _ query: [URLQueryItem], in name: String, for user: String?, _ rules: Set<Rule>
    ) -> [[String: Value]] {
        let table = tables[name]!
        guard rules.isSubset(of: table.rules), let user else { return [] }
        return table.rows.filter { row in
            isOwn(row, name, user)
                && query.allSatisfy { item in
                    guard !["select", "order"].contains(item.name) else { return true }
                    guard let value = item.value, value.hasPrefix("eq.") else { return false }
                    let wanted = String(value.dropFirst(3)).replacing("\"", with: "")
                    return row[item.name]?.text == wanted
                }
        }
    }

    private func isOwn(_ row: [String: Value], _ name: String, _ user: String) -> Bool {
        switch name {
        case "test_sessions": row["user_id"] == .text(user)
        case "responses", "processing_queue":
            !tables[name]!.asksForSession
                || rows("test_sessions").contains { $0["id"] == row["test_session_id"] && $0["user_id"] == .text(user) }
        default: true
        }
    }

    private static func json(_ rows: [[String: Value]], _ columns: [String]) -> [UInt8] {
        let picked = rows.map { row in
            Dictionary(uniqueKeysWithValues: columns.map { ($0, (row[$0] ?? .null).json) })
        }
        return Array((try? JSONSerialization.data(withJSONObject: picked, options: .sortedKeys)) ?? Data())
    }

    static func error(_ status: Int, _ code: String, _ words: String, details: Any = NSNull()) -> HTTPResponse {
        .json(
            status, ["code": code, "details": details, "hint": NSNull(), "message": words],
            headers: ["proxy-status": "PostgREST; error=\(code)"])
    }

    private static func denied(_ table: String, _ user: String?) -> HTTPResponse {
        error(user == nil ? 401 : 403, "42501", "new row violates row-level security policy for table \"\(table)\"")
    }

    private static func duplicate(_ table: String, _ constraint: String) -> HTTPResponse {
        error(409, "23505", "duplicate key value violates unique constraint \"\(constraint)\"")
    }

    private static func notOne(_ count: Int) -> HTTPResponse {
        error(
            406, "PGRST116", "Cannot coerce the result to a single JSON object",
            details: "The result contains \(count) rows")
    }
}
