public import Foundation

/// Findings about answers besides an assessor's scores: measurements of their sound, and words that candidates typed. A
/// finding is stored in `assessments` under its finder's name, and is erased with the answer. Findings about
/// introductions are never returned.
extension ServiceStore {
    /// Stores a finding on an answer and replaces the same finder's earlier one. Does nothing if the answer was erased.
    ///
    /// - Parameter finder: 1 to 100 characters. Not an assessor's version.
    public func keep(
        _ finding: some Encodable & Sendable, of response: UUID, by finder: String
    ) async throws(StoreError) {
        try await write { connection in
            guard try connection.note(.said, ofResponse: response),
                try connection.first("SELECT 1 FROM responses WHERE id = ? {lock}", [response]) != nil
            else { return }
            try connection.change(
                """
                INSERT INTO assessments (response_id, assessor, result, assessed_at) VALUES (?, ?, ?, {now})
                ON CONFLICT (response_id, assessor) DO UPDATE SET result = excluded.result,
                  assessed_at = excluded.assessed_at
                """, [response, finder, try JSONText(finding)])
            try connection.append(findingBy: finder, of: response)
        }
    }

    /// Removes a finding on an answer, if there is one.
    public func removeFinding(of response: UUID, by finder: String) async throws(StoreError) {
        try await write { connection in
            guard
                try connection.first(
                    "SELECT 1 FROM assessments WHERE response_id = ? AND assessor = ?", [response, finder]) != nil,
                try connection.note(.said, ofResponse: response)
            else { return }
            try connection.change(
                "DELETE FROM assessments WHERE response_id = ? AND assessor = ?", [response, finder])
            try connection.append(findingBy: finder, of: response)
        }
    }

    /// Returns the findings on a session's answers by all finders whose names have this prefix. They are grouped by the
    /// answers' ids and ordered by the finders' names.
    ///
    /// - Throws: `StoreError.unusable` if a stored value is not a `Finding`.
    public func findings<Finding: Decodable & Sendable>(
        _ type: Finding.Type, of session: UUID, byAll beginning: String
    ) async throws(StoreError) -> [UUID: [Finding]] {
        try await read { connection in
            let rows = try connection.rows(
                """
                SELECT a.response_id, a.result FROM assessments a JOIN responses r ON r.id = a.response_id
                WHERE r.test_session_id = ? AND \(TestResponse.isAssessed) AND substr(a.assessor, 1, ?) = ? AND a.result IS NOT NULL
                ORDER BY a.assessor
                """, [session, beginning.unicodeScalars.count, beginning])
            return try rows.reduce(into: [:]) { found, row in
                if let one: Finding = try row.json("result") {
                    found[try row.value("response_id"), default: []].append(one)
                }
            }
        }
    }

    /// Returns a user's finished sessions that have findings by finders whose names have this prefix.
    public func sessions(of user: UUID, foundBy beginning: String) async throws(StoreError) -> [UUID] {
        try await read { connection in
            try connection.rows(
                """
                SELECT DISTINCT s.id FROM test_sessions s JOIN responses r ON r.test_session_id = s.id
                  JOIN assessments a ON a.response_id = r.id
                WHERE s.user_id = ? AND s.completed_at IS NOT NULL AND substr(a.assessor, 1, ?) = ?
                """, [user, beginning.unicodeScalars.count, beginning]
            ).map { try $0.value("id") }
        }
    }

    /// Returns a finder's findings on a session's answers, by the answers' ids.
    ///
    /// - Throws: `StoreError.unusable` if a stored value is not a `Finding`.
    public func findings<Finding: Decodable & Sendable>(
        _ type: Finding.Type, of session: UUID, by finder: String
    ) async throws(StoreError) -> [UUID: Finding] {
        try await read { connection in
            let rows = try connection.rows(
                """
                SELECT a.response_id, a.result FROM assessments a JOIN responses r ON r.id = a.response_id
                WHERE r.test_session_id = ? AND \(TestResponse.isAssessed) AND a.assessor = ? AND a.result IS NOT NULL
                """, [session, finder])
            return try rows.reduce(into: [:]) { $0[try $1.value("response_id")] = try $1.json("result") }
        }
    }
}
