/// A mistake in a JSON text: its field and what is wrong with it.
package struct JSONMistake: Error, Equatable, Sendable {
    /// The path of the field: `questions[3].topic`. Nil if the mistake belongs to the text as a whole.
    package var field: String?
    /// The fault: "is missing". The field or the file's name comes before it in a sentence.
    package var reason: String

    package init(_ reason: String, at field: String? = nil) {
        (self.field, self.reason) = (field, reason)
    }

    /// Creates the mistake that made a decoder fail: its field and the expected value.
    ///
    /// - Parameter kind: The kind of value that was read: "paper".
    package init(_ error: any Error, kind: String) {
        guard let error = error as? DecodingError else {
            self.init("cannot be read as a \(kind)")
            return
        }
        switch error {
        case .keyNotFound(let key, let context):
            self.init("is missing", at: Self.field(context.codingPath + [key]))
        case .typeMismatch(let type, let context):
            self.init("should be \(Self.word(for: type))", at: Self.field(context.codingPath))
        case .valueNotFound(let type, let context):
            self.init("is null; it should be \(Self.word(for: type))", at: Self.field(context.codingPath))
        // The syntax was checked before. Foundation reports neither the field nor which of the two remaining errors it
        // is.
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            self.init("is not UTF-8, or has a number that its field cannot hold: too large, or not whole")
        case .dataCorrupted(let context):
            self.init(context.debugDescription, at: Self.field(context.codingPath))
        @unknown default:
            self.init("cannot be read as a \(kind)")
        }
    }

    /// The field and the reason as one sentence without a full stop.
    package var sentence: String { field.map { "\($0): \(reason)" } ?? reason }

    private static func word(for type: any Any.Type) -> String {
        switch type {
        case is String.Type: "text"
        case is Bool.Type: "true or false"
        case is Int.Type, is UInt64.Type: "a whole number"
        case is Double.Type, is Float.Type: "a number"
        case is [String: Any].Type: "an object { … }"
        default: String(describing: type).hasPrefix("Array") ? "a list [ … ]" : "an object { … }"
        }
    }

    private static func field(_ path: [any CodingKey]) -> String {
        path.reduce("") { field, key in
            if let index = key.intValue { return "\(field)[\(index)]" }
            return field.isEmpty ? key.stringValue : "\(field).\(key.stringValue)"
        }
    }
}

extension Problem {
    /// Creates the problem of a file with a mistake.
    ///
    /// - Parameter name: The file's name in messages: its path.
    package init(_ mistake: JSONMistake, in name: String) {
        self.init(.malformed, "\(name): \(mistake.sentence)")
    }
}
