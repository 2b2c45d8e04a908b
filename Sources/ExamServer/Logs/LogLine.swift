import FoundationEssentials

/// One line of a log in either format. It is always a single line: control characters are escaped as in JSON.
struct LogLine {
    /// The time: `2026-11-22T10:00:00.123Z`.
    var time: String
    var level: String
    var message: String
    var fields: [(name: String, value: String)]

    /// The fields that come first, if present. The others follow by name, and the request and the node come last.
    private static let first = ["session", "method", "route", "status", "ms", "bytes"]
    private static let last = ["request", "trace"]

    init(time: String, level: String, message: String, fields: [String: String], node: String) {
        (self.time, self.level, self.message) = (time, level, message)
        let places = Dictionary(uniqueKeysWithValues: Self.first.enumerated().map { ($1, $0 - Self.first.count) })
            .merging(Self.last.enumerated().map { ($1, $0 + 1) }) { $1 }
        self.fields = fields.filter { $0.key != "node" }.map { ($0.key, $0.value) }
            .sorted { a, b in (places[a.name] ?? 0, a.name) < (places[b.name] ?? 0, b.name) }
        self.fields.append(("node", node))
    }

    /// The format `TIME LEVEL MESSAGE NAME=VALUE …`. Ambiguous values are quoted.
    var text: String {
        let words = message.isEmpty || message.contains { "=\"".contains($0) } ? Self.quoted(message) : message
        let parts = fields.map {
            "\(Self.bare($0.name) ?? Self.quoted($0.name))=\(Self.bare($0.value) ?? Self.quoted($0.value))"
        }
        return ([time, level, Self.isPlain(words) ? words : Self.quoted(message)] + parts).joined(separator: " ")
    }

    /// The format with one object. A field with the name of a standard one gets an underscore.
    var json: String {
        let own = ["time", "level", "message"]
        let all =
            zip(own, [time, level, message]).map { ($0, $1) }
            + fields.map { (own.contains($0.name) ? $0.name + "_" : $0.name, $0.value) }
        return "{" + all.map { "\(Self.quoted($0.0)):\(Self.quoted($0.1))" }.joined(separator: ",") + "}"
    }

    /// The current time by the machine's clock.
    static var now: String { Date.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)) }

    /// Returns the text if it needs no quotes, and otherwise nil.
    private static func bare(_ text: String) -> String? {
        text.isEmpty || text.contains { " =\"".contains($0) } || !isPlain(text) ? nil : text
    }

    private static func isPlain(_ text: String) -> Bool { !text.unicodeScalars.contains(where: isHidden) }

    /// Returns a JSON string (RFC 8259, 7).
    private static func quoted(_ text: String) -> String {
        var out = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": out += "\\\""
            case "\\": out += "\\\\"
            case "\n": out += "\\n"
            case _ where isHidden(scalar):
                for unit in String(scalar).utf16 {
                    out += "\\u" + String(repeating: "0", count: 4 - String(unit, radix: 16).count)
                    out += String(unit, radix: 16)
                }
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out + "\""
    }

    /// Returns whether a character ends a line, changes its colour or reverses its direction.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
