import Foundation
public import HTTPClient

/// A stand-in for PostgREST: each request is a PostgreSQL transaction with the user's role and claims.
public struct StandInRest: Sendable {
    /// The version of PostgREST: 13, or 12, which has another code for an expired token.
    public var version = 13

    mutating func answer(
        _ call: StandInCall, _ auth: StandInAuth, _ database: StandInDatabase, _ complaints: inout [String]
    ) -> HTTPResponse {
        let name = call.path.replacing("/rest/v1/", with: "")
        var role = StandInDatabase.Role.anonymous
        if let bearer = call.bearer {
            switch auth.flaw(in: bearer, at: call.now) {
            case .parts(let count): return Self.error(401, "PGRST301", "Expected 3 parts in JWT; got \(count)")
            case .unknown: return Self.error(401, "PGRST301", "No suitable key or wrong key type")
            // Clocks may differ by 30 s.
            case .expired(let since) where since > 30:
                return Self.error(401, version >= 13 ? "PGRST303" : "PGRST301", "JWT expired")
            case .expired, nil: role = .user(claims: StandInAuth.claims(of: bearer))
            }
        }
        guard let columns = database.columns(of: name) else {
            complaints.append("an unknown table")
            return Self.error(404, "PGRST205", "Could not find the table 'public.\(name)' in the schema cache")
        }
        if call.method != "GET" && call.method != "HEAD" && call.method != "DELETE" {
            guard call["Content-Type"]?.hasPrefix("application/json") == true else {
                complaints.append("not JSON")
                return Self.error(415, "PGRST102", "Content-Type not acceptable: \(call["Content-Type"] ?? "none")")
            }
            if call["Content-Profile"] != "public" { complaints.append("no Content-Profile") }
        } else if call.method == "GET", call["Accept-Profile"] != "public" {
            complaints.append("no Accept-Profile")
        }
        do throws(RestRefusal) {
            let query = try RestQuery(call, table: name)
            let statement = try RestStatement(call, query, columns: columns)
            return RestAnswer(call, query, name).response(statement, database, role)
        } catch {
            complaints.append(error.words)
            return Self.error(error.status, error.code, error.words, details: error.details)
        }
    }

    public static func error(
        _ status: Int, _ code: String, _ words: String, details: String? = nil, hint: String? = nil
    ) -> HTTPResponse {
        .json(
            status,
            [
                "code": code, "details": details as Any? ?? NSNull(), "hint": hint as Any? ?? NSNull(),
                "message": words,
            ] as [String: Any],
            headers: ["proxy-status": "PostgREST; error=\(code)"])
    }
}

/// A refusal of PostgREST itself, before PostgreSQL is asked.
struct RestRefusal: Error {
    var status: Int
    var code: String
    var words: String
    var details: String?
}
