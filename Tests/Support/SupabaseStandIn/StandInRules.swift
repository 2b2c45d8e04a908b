/// The row-level rules of the tables whose rules tests change. Each command has its own policy, so that removing one
/// takes a single statement.
enum StandInRules {
    static let tables = ["test_sessions", "responses", "processing_queue", objects]
    /// The rows of the storage, one per object.
    static let objects = "storage.objects"

    /// - Parameters:
    ///   - commands: The commands that users may use on their own rows.
    ///   - isOpen: Whether new rows need not belong to the user.
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
    /// The rules of docs/uploads.md.
    public static var all: Self { Self(StandInProject.Rule.allCases) }
}
