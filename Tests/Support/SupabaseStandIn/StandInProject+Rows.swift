import Foundation

/// The project from its owner's point of view: rows, rules, objects.
extension StandInProject {
    /// A value of a row.
    public enum Value: Equatable, Sendable {
        case text(String)
        case number(Double)
        case truth(Bool)
        case null

        init(_ any: Any?) {
            switch any {
            case let text as String: self = .text(text)
            case let number as NSNumber:
                self = String(cString: number.objCType) == "c" ? .truth(number.boolValue) : .number(number.doubleValue)
            default: self = .null
            }
        }

        public var text: String? { if case .text(let text) = self { text } else { nil } }
    }

    public static let template = "550e8400-e29b-41d4-a716-446655440000"

    /// Returns the id of a question of that template.
    public static func question(_ part: Int, _ order: Int) -> String {
        "00000000-0000-4000-8000-0000000\(part)000\(order)"
    }

    /// The address for the owner's connection: `postgresql://…`.
    public var address: String { database.url }

    /// Executes SQL as the owner, to whom no rules apply.
    ///
    /// - Returns: The last statement's rows.
    @discardableResult public func sql(_ sql: String) -> [[String?]] { database.owner(sql) }

    /// Executes SQL that changes tables themselves, as the owner.
    public func alter(_ sql: String) { database.alter(sql) }

    /// Sets what users may do with their own rows of `test_sessions`, `responses`, `processing_queue` or
    /// `storage.objects`.
    ///
    /// - Parameter isOpen: Whether new rows need not belong to the user.
    public func allow(_ rules: Set<Rule>, on table: String, isOpen: Bool = false) {
        database.allow(rules, on: table, isOpen: isOpen)
    }

    public func rows(_ table: String) -> [[String: Value]] {
        let text = sql("SELECT coalesce(json_agg(row_to_json(t) ORDER BY t.id), '[]')::text FROM \(table) t").first?[0]
        let rows = (try? JSONSerialization.jsonObject(with: Data((text ?? "[]").utf8))) as? [[String: Any]] ?? []
        return rows.map { $0.mapValues { Value($0) } }
    }

    /// Returns the objects of one bucket by their names.
    public func objects(in bucket: String = bucket) -> [String: StandInStorage.Object] {
        let rows = sql(
            """
            SELECT name, metadata ->> 'eTag', metadata ->> 'mimetype' FROM storage.objects
            WHERE bucket_id = \(StandInDatabase.quoted(bucket))
            """)
        let bytes = with { $0.storage.bytes }
        return Dictionary(
            uniqueKeysWithValues: rows.map { row in
                let name = row[0] ?? ""
                return (
                    name,
                    StandInStorage.Object(
                        bytes: bytes["\(bucket)/\(name)"] ?? [], etag: row[1] ?? "", mediaType: row[2] ?? "")
                )
            })
    }

    /// Adds an object that no user sent, or removes one. It doesn't count as a write.
    public func put(_ object: StandInStorage.Object?, at name: String, in bucket: String = bucket) {
        let (place, path) = (StandInDatabase.quoted(bucket), StandInDatabase.quoted(name))
        guard let object else {
            sql("DELETE FROM storage.objects WHERE bucket_id = \(place) AND name = \(path)")
            return with { $0.storage.bytes["\(bucket)/\(name)"] = nil }
        }
        with { state in
            let writes = state.storage.writes
            sql("DELETE FROM storage.objects WHERE bucket_id = \(place) AND name = \(path)")
            _ = state.storage.put(
                object, bucket, name, replacing: false, .owner, database, cache: "max-age=3600")
            state.storage.writes = writes
        }
    }

    public func setETags(_ etag: String) {
        sql("UPDATE storage.objects SET metadata = jsonb_set(metadata, '{eTag}', to_jsonb('\(etag)'::text))")
    }

    func addUser() {
        sql("INSERT INTO auth.users (id, email) VALUES ('\(StandInAuth.user)', '\(StandInAuth.email)')")
    }

    /// Adds three parts with four questions each.
    func addTemplate() {
        let questions = (1...3).flatMap { part in
            (1...4).map {
                "('\(Self.question(part, $0))', '\(Self.template)', \(part), \($0), 'Question \($0) of part \(part)')"
            }
        }
        sql(
            """
            INSERT INTO test_templates (id, title, difficulty_level) VALUES ('\(Self.template)', 'A test', 'Medium');
            INSERT INTO questions (id, test_template_id, part_number, question_order, question_text) VALUES \
            \(questions.joined(separator: ", "))
            """)
    }
}
