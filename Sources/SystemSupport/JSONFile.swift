import FoundationEssentials

/// Formats, papers and scenarios are read here: strictly, and with the field named where something is wrong.
package enum JSONFile {
    /// Reads a versioned value.
    ///
    /// - Parameters:
    ///   - name: how the file is called in a message: its path.
    ///   - kind: what it should be: "paper".
    ///   - version: the only layout that is understood; nil where the file has none, or means something else by it.
    /// - Throws: `Problem.malformed` with line and column, or the field; unknown fields are errors, so that a misspelt one
    ///   does not silently mean "absent".
    package static func decode<Value: Codable>(
        _ type: Value.Type,
        _ kind: String,
        version: Int?,
        from bytes: [UInt8],
        name: String
    ) throws(Problem) -> Value {
        let data = Data(bytes)
        let decoder = JSONDecoder()
        do {
            if data.isEmpty { throw Problem(.malformed, "\(name): is empty; it should be a \(kind) in JSON") }
            if let place = JSONSyntax.mistake(in: bytes) {
                throw Problem(.malformed, "\(name): is not JSON at \(place)")
            }
            let written = try decoder.decodeForeign(JSONTree.self, from: data)
            if let version { try check(written.version, of: kind, is: version, name: name) }
            let value = try decoder.decode(type, from: data)
            let understood = try decoder.decode(JSONTree.self, from: JSONEncoder().encode(value))
            if let field = written.withoutSchema.firstField(notIn: understood) {
                throw Problem(.malformed, "\(name): \(field): is not a field of a \(kind)")
            }
            return value
        } catch let problem as Problem {
            throw problem
        } catch {
            throw Problem(.malformed, "\(name): \(sentence(error, kind: kind))")
        }
    }

    /// Reads a versioned value that this program wrote itself, some ten times as fast: nobody misspelt a field there, so fields
    /// that it does not know are passed over.
    ///
    /// - Throws: as `decode`, with the same words.
    package static func decodeOwn<Value: Codable>(
        _ type: Value.Type,
        _ kind: String,
        version: Int,
        from bytes: [UInt8],
        name: String
    ) throws(Problem) -> Value {
        if let own = try? decodeLine(Versioned<Value>.self, from: bytes), own.version == version { return own.value }
        return try decode(type, kind, version: version, from: bytes, name: name)
    }

    /// A value with the version of its layout, which stands beside its fields.
    private struct Versioned<Value: Decodable>: Decodable {
        var version: Int
        var value: Value

        init(from decoder: any Decoder) throws {
            version = try decoder.container(keyedBy: Key.self).decode(Int.self, forKey: .version)
            value = try Value(from: decoder)
        }

        private enum Key: CodingKey { case version }
    }

    package static func encode(_ value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Only values that JSON cannot hold (an infinite number) fail, and ours have none.
        return Array((try? encoder.encode(value)) ?? Data()) + [UInt8(ascii: "\n")]
    }

    /// Reads one line of a log, which no version of its own stands in.
    package static func decodeLine<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
        try JSONDecoder().decodeForeign(type, from: Data(bytes))
    }

    private static func check(_ found: JSONTree?, of kind: String, is version: Int, name: String) throws(Problem) {
        let has: String
        switch found {
        case .number(Double(version)): return
        case .number(let number): has = "has version \(Int(exactly: number).map(String.init) ?? String(number))"
        case nil: has = "has no version"
        default: throw Problem(.malformed, "\(name): version: should be a whole number")
        }
        throw Problem(.malformed, "\(name): version: this \(kind) \(has); this program reads version \(version)")
    }

    /// What is wrong with a value that was not read by `decode`: the field, and what should be there.
    package static func sentence(_ error: any Error, kind: String) -> String {
        guard let error = error as? DecodingError else { return "cannot be read as a \(kind)" }
        switch error {
        case .keyNotFound(let key, let context):
            return "\(field(context.codingPath + [key])): is missing"
        case .typeMismatch(let type, let context):
            return "\(field(context.codingPath)): should be \(word(for: type))"
        case .valueNotFound(let type, let context):
            return "\(field(context.codingPath)): is null; it should be \(word(for: type))"
        case .dataCorrupted(let context):
            // The syntax was looked at before; Foundation does not say which field it means, nor which of the two it is.
            if context.codingPath.isEmpty {
                return "is not UTF-8, or has a number that its field cannot hold: too large, or not whole"
            }
            return "\(field(context.codingPath)): \(context.debugDescription)"
        @unknown default:
            return "cannot be read as a \(kind)"
        }
    }

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

/// JSON as it is written, for finding fields that nobody reads.
private enum JSONTree: Decodable, Equatable {
    case object([String: JSONTree])
    case list([JSONTree])
    case number(Double)
    /// Text, true or false.
    case leaf
    case null

    init(from decoder: any Decoder) throws {
        // The frequent ones first: each guess that fails costs an error.
        let value = try decoder.singleValueContainer()
        if (try? value.decode(String.self)) != nil {
            self = .leaf
        } else if let object = try? [String: JSONTree](from: decoder) {
            self = .object(object)
        } else if let list = try? [JSONTree](from: decoder) {
            self = .list(list)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else {
            self = value.decodeNil() ? .null : .leaf
        }
    }

    /// What stands in the field `version`.
    var version: JSONTree? {
        guard case .object(let fields) = self else { return nil }
        return fields["version"]
    }

    /// Without the field that tells an editor where the file's schema is.
    var withoutSchema: JSONTree {
        guard case .object(var fields) = self else { return self }
        fields["$schema"] = nil
        return .object(fields)
    }

    /// The path of the first field, in order of the alphabet, that the other tree does not have.
    func firstField(notIn other: JSONTree) -> String? {
        switch (self, other) {
        case (.object(let mine), .object(let theirs)):
            for (key, value) in mine.sorted(by: { $0.key < $1.key }) where value != .null {
                guard let counterpart = theirs[key] else { return key }
                if let field = value.firstField(notIn: counterpart) {
                    return field.hasPrefix("[") ? key + field : "\(key).\(field)"
                }
            }
            return nil
        case (.list(let mine), .list(let theirs)):
            for (index, (value, counterpart)) in zip(mine, theirs).enumerated() {
                if let field = value.firstField(notIn: counterpart) { return "[\(index)].\(field)" }
            }
            return nil
        default:
            return nil
        }
    }
}
