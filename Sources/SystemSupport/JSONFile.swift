import FoundationEssentials

/// Reads formats, papers and scenarios strictly, and names the field of an error.
package enum JSONFile {
    /// Reads a versioned value.
    ///
    /// - Parameters:
    ///   - name: The file's name in messages: its path.
    ///   - kind: The kind of value: "paper".
    ///   - version: The only layout that is accepted; nil if the file has no version, or uses the field for something
    ///     else.
    /// - Throws: `Problem.malformed` with the line and the column, or the field. Unknown fields are errors, so that a
    ///   misspelt one isn't silently taken for an absent one.
    package static func decode<Value: Codable>(
        _ type: Value.Type,
        _ kind: String,
        version: Int?,
        from bytes: [UInt8],
        name: String
    ) throws(Problem) -> Value {
        do {
            return try decode(type, kind, version: version, from: bytes)
        } catch {
            throw Problem(error, in: name)
        }
    }

    /// Reads a versioned value like the other `decode`, for a caller that needs the field of an error.
    package static func decode<Value: Codable>(
        _ type: Value.Type,
        _ kind: String,
        version: Int?,
        from bytes: [UInt8]
    ) throws(JSONMistake) -> Value {
        if bytes.isEmpty { throw JSONMistake("is empty; it should be a \(kind) in JSON") }
        if let place = JSONSyntax.mistake(in: bytes) { throw JSONMistake("is not JSON at \(place)") }
        let (data, decoder) = (Data(bytes), JSONDecoder())
        do {
            let written = try decoder.decodeForeign(JSONTree.self, from: data)
            if let version { try check(written.version, of: kind, is: version) }
            let value = try decoder.decode(type, from: data)
            let understood = try decoder.decode(JSONTree.self, from: JSONEncoder().encode(value))
            if let field = written.withoutSchema.firstField(notIn: understood) {
                throw JSONMistake("is not a field of a \(kind)", at: field)
            }
            return value
        } catch let mistake as JSONMistake {
            throw mistake
        } catch {
            throw JSONMistake(error, kind: kind)
        }
    }

    /// Reads a versioned value that this program wrote itself, about ten times as fast. Such a file has no misspelt
    /// fields, so unknown fields are ignored.
    ///
    /// - Throws: The same errors as `decode`, with the same words.
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

    /// A value with the version of its layout, which is at the same level as its fields.
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
        // Encoding fails only for values that JSON can't represent, such as infinity. Oracy's values contain none.
        return Array((try? encoder.encode(value)) ?? Data()) + [UInt8(ascii: "\n")]
    }

    /// Reads one line of a log, which has no version of its own.
    package static func decodeLine<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
        try JSONDecoder().decodeForeign(type, from: Data(bytes))
    }

    private static func check(_ found: JSONTree?, of kind: String, is version: Int) throws(JSONMistake) {
        let has: String
        switch found {
        case .number(Double(version)): return
        case .number(let number): has = "has version \(Int(exactly: number).map(String.init) ?? String(number))"
        case nil: has = "has no version"
        default: throw JSONMistake("should be a whole number", at: "version")
        }
        throw JSONMistake("this \(kind) \(has); this program reads version \(version)", at: "version")
    }
}

/// JSON as written, for finding fields that aren't used.
private enum JSONTree: Decodable, Equatable {
    case object([String: JSONTree])
    case list([JSONTree])
    case number(Double)
    /// A text, true or false.
    case leaf
    case null

    init(from decoder: any Decoder) throws {
        // The frequent kinds come first, because each failed attempt costs an error.
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

    /// The value of the field `version`.
    var version: JSONTree? {
        guard case .object(let fields) = self else { return nil }
        return fields["version"]
    }

    /// The object without the field that refers an editor to the file's schema.
    var withoutSchema: JSONTree {
        guard case .object(var fields) = self else { return self }
        fields["$schema"] = nil
        return .object(fields)
    }

    /// Returns the path of the first field, in alphabetical order, that the other tree doesn't have.
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
