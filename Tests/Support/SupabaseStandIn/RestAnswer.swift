import ExamStore
import HTTPClient

/// The outcome of a statement in PostgREST's form.
struct RestAnswer {
    private let call: StandInCall
    private let query: RestQuery
    private let table: String

    init(_ call: StandInCall, _ query: RestQuery, _ table: String) {
        (self.call, self.query, self.table) = (call, query, table)
    }

    private var wantsOne: Bool { call["Accept"]?.hasPrefix("application/vnd.pgrst.object") == true }

    private var most: Int? {
        call.preferences["handling"] == "strict" ? call.preferences["max-affected"].flatMap { Int($0) } : nil
    }

    func response(
        _ statement: RestStatement, _ database: StandInDatabase, _ role: StandInDatabase.Role
    ) -> HTTPResponse {
        // An answer with an error has changed nothing.
        let result = database.ask(statement.sql, as: role) { answer in
            let count = statement.returnsRows ? Self.count(answer) : answer.changedCount
            return !(wantsOne && statement.returnsRows && count != 1) && !(most.map { count > $0 } ?? false)
        }
        switch result {
        case .failure(let refusal): return Self.response(to: refusal, role)
        case .success(let answer): return response(answer, statement)
        }
    }

    private static func count(_ answer: PlainPostgres.Answer) -> Int { answer.rows.first?[1].flatMap { Int($0) } ?? 0 }

    private func response(_ answer: PlainPostgres.Answer, _ statement: RestStatement) -> HTTPResponse {
        let count = statement.returnsRows ? Self.count(answer) : answer.changedCount
        if let most, count > most {
            return StandInRest.error(
                400, "PGRST124", "Query result exceeds max-affected preference constraint",
                details: "The query affects \(count) rows")
        }
        let isRead = call.method == "GET" || call.method == "HEAD"
        let merged = call.preferences["resolution"] == "merge-duplicates"
        guard statement.returnsRows else {
            return .text(call.method == "POST" ? 201 : 204, headers: ["content-range": "*/*"])
        }
        var body = answer.rows.first?[0] ?? "[]"
        if wantsOne {
            guard count == 1 else {
                return StandInRest.error(
                    406, "PGRST116", "Cannot coerce the result to a single JSON object",
                    details: "The result contains \(count) rows")
            }
            body = String(body.dropFirst().dropLast())
        }
        var headers: [String: String] = [:]
        let begin = query.offset ?? 0
        let all = call.preferences["count"] == "exact" ? answer.rows.first.flatMap { $0.count > 2 ? $0[2] : nil } : nil
        headers["content-range"] = "\(count == 0 ? "*" : "\(begin)-\(begin + count - 1)")/\(all ?? "*")"
        if wantsOne { headers["content-type"] = "application/vnd.pgrst.object+json; charset=utf-8" }
        let isPart = isRead && (all.flatMap { Int($0) }).map { $0 > begin + count || begin > 0 && count > 0 } ?? false
        let existed = merged && answer.rows.first?.last == "t"
        let status = call.method == "POST" ? (existed ? 200 : 201) : isPart ? 206 : 200
        return .json(status, bytes: call.method == "HEAD" ? [] : Array(body.utf8), headers: headers)
    }

    /// Converts SQLSTATE to a status, like `PostgREST.Error` (v13, `pgErrorStatus`).
    private static func response(to refusal: PlainPostgres.Refusal, _ role: StandInDatabase.Role) -> HTTPResponse {
        let state = refusal.state
        if state.isEmpty { return StandInRest.error(503, "PGRST001", refusal.message) }
        let isUser = if case .user = role { true } else { false }
        let status =
            switch state {
            case "23503", "23505": 409
            case "25006": 405
            case "42883", "42P01": 404
            case "42501": isUser ? 403 : 401
            case "42P17", "53400": 500
            case "57P01": 503
            case "P0001": 400
            default:
                switch state.prefix(2) {
                case "08", "53": 503
                case "0L", "0P", "28": 403
                case "09", "25", "2D", "38", "39", "3B", "40", "54", "55", "57", "58", "F0", "HV", "P0", "XX": 500
                default: 400
                }
            }
        return StandInRest.error(
            status, state, refusal.message, details: refusal.detail.isEmpty ? nil : refusal.detail,
            hint: refusal.hint.isEmpty ? nil : refusal.hint)
    }
}
