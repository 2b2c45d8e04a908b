/// Row-level rules of the tables whose rules tests change: one policy a command, so that a project without one of them is one statement
/// away.
enum StandInRules {
    static let tables = ["test_sessions", "responses", "processing_queue", objects]
    /// Rows of storage's own, one an object.
    static let objects = "storage.objects"

    /// - Parameters:
    ///   - commands: what users may do with their own rows.
    ///   - isOpen: new rows need not be the user's.
    static func statements(of commands: Set<StandInProject.Rule>, on table: String, isOpen: Bool = false) -> String {
        let own = condition(table)
        return StandInProject.Rule.allCases.map { rule in
            let name = rule.rawValue
            let drop = "DROP POLICY IF EXISTS own_\(name) ON \(table);"
            guard commands.contains(rule) else { return drop }
            let begin = "\(drop) CREATE POLICY own_\(name) ON \(table) FOR \(name) TO authenticated"
            switch rule {
            case .select, .delete: return "\(begin) USING (\(own));"
            case .insert: return "\(begin) WITH CHECK (\(isOpen ? "true" : own));"
            case .update: return "\(begin) USING (\(own)) WITH CHECK (\(own));"
            }
        }.joined(separator: "\n")
    }

    private static func condition(_ table: String) -> String {
        switch table {
        case "test_sessions": "user_id = auth.uid()"
        case "responses", "processing_queue": "public.is_own_session(test_session_id)"
        default: "bucket_id = 'audio-responses' AND public.is_own_recording(name)"
        }
    }
}

extension Set<StandInProject.Rule> {
    /// As docs/uploads.md asks.
    public static var all: Self { Self(StandInProject.Rule.allCases) }
}
