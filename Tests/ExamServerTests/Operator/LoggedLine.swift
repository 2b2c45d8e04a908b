import Foundation

/// A parsed line of a log.
struct LoggedLine {
    var time: String
    var level: String
    var message: String
    var fields: [String: String]

    /// Parses a line of `LineLog`'s text. Nil if it isn't one.
    init?(text: String) {
        let form =
            /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) ([a-z]+) ([^="]+?|"(?:[^"\\]|\\.)*")((?: [A-Za-z0-9._-]+=(?:"(?:[^"\\]|\\.)*"|[^ ="]+))+)/
        guard let match = text.wholeMatch(of: form) else { return nil }
        (time, level, message) = (String(match.1), String(match.2), Self.unquoted(match.3))
        fields = [:]
        for field in match.4.matches(of: #/ ([A-Za-z0-9._-]+)=("(?:[^"\\]|\\.)*"|[^ ="]+)/#) {
            fields[String(field.1)] = Self.unquoted(field.2)
        }
    }

    /// Parses a line of `LineLog`'s JSON, whose values are all strings. Nil if it isn't one.
    init?(json: String) {
        guard var object = (try? JSONSerialization.jsonObject(with: Data(json.utf8))) as? [String: String],
            let time = object.removeValue(forKey: "time"), let level = object.removeValue(forKey: "level"),
            let message = object.removeValue(forKey: "message")
        else { return nil }
        (self.time, self.level, self.message, fields) = (time, level, message, object)
    }

    private static func unquoted(_ text: Substring) -> String {
        guard text.hasPrefix("\"") else { return String(text) }
        let value = try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
        return value as? String ?? ""
    }
}
