import Foundation

/// The query of a URL as PostgREST reads it: filters, columns, order.
struct RestQuery {
    let table: String
    /// SQL conditions on the columns of `x`.
    var conditions: [String] = []
    /// All columns if empty.
    var columns: [String] = []
    var order: [String] = []
    var limit, offset: Int?
    var conflict: [String] = []
    /// The columns that a body is read for; nil for those of its first object.
    var bodyColumns: [String]?

    private static let reserved: Set = ["select", "order", "limit", "offset", "on_conflict", "columns"]

    init(_ call: StandInCall, table: String) throws(RestRefusal) {
        self.table = table
        for (name, value) in call.query {
            switch name {
            case "select": columns = try Self.columns(value)
            case "order": order = try Self.list(value).map { (term) throws(RestRefusal) in try Self.order(term) }
            case "limit": limit = Int(value)
            case "offset": offset = Int(value)
            case "on_conflict": conflict = Self.list(value)
            case "columns": bodyColumns = Self.list(value).map(Self.unquoted)
            default: conditions.append(try Self.condition(name, value))
            }
        }
    }

    var whereClause: String { conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ") }
    var orderClause: String { order.isEmpty ? "" : " ORDER BY " + order.joined(separator: ", ") }
    var pageClause: String { (limit.map { " LIMIT \($0)" } ?? "") + (offset.map { " OFFSET \($0)" } ?? "") }

    /// Returns the requested columns of a row with this name.
    func selected(from row: String) -> String {
        columns.isEmpty ? "\(row).*" : columns.map { "\(row).\(StandInDatabase.named($0))" }.joined(separator: ", ")
    }

    private static func columns(_ text: String) throws(RestRefusal) -> [String] {
        let names = list(text)
        if names == ["*"] { return [] }
        for name in names where name.contains("(") || name.contains(":") {
            throw RestRefusal(status: 400, code: "PGRST200", words: "only plain columns are read here, not \(name)")
        }
        return names
    }

    private static func order(_ term: String) throws(RestRefusal) -> String {
        let words = term.split(separator: ".").map(String.init)
        let known = ["asc": "ASC", "desc": "DESC", "nullsfirst": "NULLS FIRST", "nullslast": "NULLS LAST"]
        let how = words.dropFirst().map { known[$0] }
        guard let column = words.first, !how.contains(nil) else { throw unreadable(term) }
        return "x.\(StandInDatabase.named(column)) " + how.compactMap(\.self).joined(separator: " ")
    }

    /// Returns the condition of `eq.value` or `not.in.(a,b)`. Quotes after a top-level operator are part of the value
    /// (postgrest#1943); inside of `in.(…)` they quote.
    private static func condition(_ column: String, _ text: String) throws(RestRefusal) -> String {
        var rest = text[...]
        let isNegated = rest.hasPrefix("not.")
        if isNegated { rest = rest.dropFirst(4) }
        guard let dot = rest.firstIndex(of: ".") else { throw unreadable(text) }
        let (name, value) = (String(rest[..<dot]), String(rest[rest.index(after: dot)...]))
        let place = "x.\(StandInDatabase.named(column))"
        let comparisons = ["eq": "=", "neq": "<>", "gt": ">", "gte": ">=", "lt": "<", "lte": "<="]
        let sql: String
        if let comparison = comparisons[name] {
            sql = "\(place) \(comparison) \(StandInDatabase.quoted(value))"
        } else if name == "is" {
            guard ["null", "true", "false", "unknown"].contains(value) else { throw unreadable(text) }
            sql = "\(place) IS \(value.uppercased())"
        } else if name == "in" {
            guard value.hasPrefix("("), value.hasSuffix(")") else { throw unreadable(text) }
            let values = list(String(value.dropFirst().dropLast())).map { StandInDatabase.quoted(unquoted($0)) }
            sql = values.isEmpty ? "false" : "\(place) IN (\(values.joined(separator: ", ")))"
        } else {
            throw unreadable(text)
        }
        return isNegated ? "NOT (\(sql))" : sql
    }

    private static func unreadable(_ text: String) -> RestRefusal {
        RestRefusal(
            status: 400, code: "PGRST100", words: "\"failed to parse filter (\(text))\" (line 1, column 1)",
            details: "unexpected \"\(text.prefix(1))\" expecting operator")
    }

    /// Splits at commas outside of quotes.
    private static func list(_ text: String) -> [String] {
        var (items, item, isQuoted, isEscaped) = ([String](), "", false, false)
        for character in text {
            if isEscaped {
                isEscaped = false
            } else if character == "\\" && isQuoted {
                isEscaped = true
            } else if character == "\"" {
                isQuoted.toggle()
            } else if character == "," && !isQuoted {
                items.append(item)
                item = ""
                continue
            }
            item.append(character)
        }
        return text.isEmpty ? [] : items + [item]
    }

    private static func unquoted(_ text: String) -> String {
        guard text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return text }
        return String(text.dropFirst().dropLast()).replacing("\\\"", with: "\"").replacing("\\\\", with: "\\")
    }
}
