import Foundation

@testable import ExamServer

/// `/openapi.json`, with a check of values against it. Knows the parts of JSON Schema that occur there.
struct Described {
    struct Operation {
        var method, path: String
        var parameters: [JSONValue]
        var body: JSONValue?
        var responses: [String: JSONValue]
        var isOpen: Bool
    }

    let document: JSONValue

    init() throws { document = try JSONValue(PackageResources.openapi_json) }

    var operations: [Operation] {
        document["paths"]!.fields.sorted { $0.key < $1.key }.flatMap { path, methods in
            methods.fields.filter { $0.key != "parameters" }.sorted { $0.key < $1.key }.map { method, operation in
                Operation(
                    method: method.uppercased(), path: path,
                    parameters: (methods["parameters"]?.items ?? []) + (operation["parameters"]?.items ?? []),
                    body: operation["requestBody"], responses: operation["responses"]?.fields ?? [:],
                    isOpen: operation["security"]?.items.isEmpty ?? false)
            }
        }
    }

    func operation(_ method: String, _ path: String) -> Operation? {
        operations.first { $0.method == method && $0.path == path }
    }

    /// Returns the schema that a reference points to, and merges the parts of `allOf`.
    func resolved(_ schema: JSONValue) -> JSONValue {
        if let reference = schema["$ref"]?.text {
            return resolved(reference.split(separator: "/").dropFirst().reduce(document) { $0[String($1)]! })
        }
        guard let parts = schema["allOf"]?.items.map(resolved) else { return schema }
        // The fields of all parts belong to one object.
        let fields = parts.compactMap { $0["properties"]?.fields }.reduce(into: [:]) { $0.merge($1) { a, _ in a } }
        return .object([
            "type": .string("object"), "properties": .object(fields),
            "required": .array(parts.flatMap { $0["required"]?.items ?? [] }),
        ])
    }

    func schema(_ name: String) -> JSONValue { document["components"]!["schemas"]![name]! }

    // MARK: - Checking values

    /// Checks a value against a schema.
    ///
    /// - Parameter isWhole: Whether fields that are not described are wrong, too.
    /// - Returns: The complaints; empty if the value is allowed.
    func complaints(_ value: JSONValue, _ schema: JSONValue, at path: String = "", isWhole: Bool = false) -> [String] {
        let schema = resolved(schema)
        if let choices = (schema["oneOf"] ?? schema["anyOf"])?.items {
            let all = choices.map { complaints(value, $0, at: path, isWhole: isWhole) }
            return all.contains { $0.isEmpty } ? [] : ["\(path): none of its kinds"]
        }
        var wrong: [String] = []
        func expect(_ isRight: Bool, _ words: String) { if !isRight { wrong.append("\(path): \(words)") } }
        if let type = schema["type"] {
            expect(
                (type.text.map { [$0] } ?? type.items.compactMap(\.text)).contains { Self.isKind(value, $0) }, "kind")
        }
        if let const = schema["const"] { expect(value == const, "const") }
        if let known = schema["enum"]?.items { expect(known.contains(value), "enum") }
        switch value {
        case .string(let text): wrong += Self.complaints(text, schema, path)
        case .number(let number):
            if let least = schema["minimum"]?.number { expect(number >= least, "minimum") }
            if let most = schema["maximum"]?.number { expect(number <= most, "maximum") }
        case .array(let items):
            if let least = schema["minItems"]?.number { expect(items.count >= Int(least), "minItems") }
            if let most = schema["maxItems"]?.number { expect(items.count <= Int(most), "maxItems") }
            guard let item = schema["items"] else { break }
            for (place, value) in items.enumerated() {
                wrong += self.complaints(value, item, at: "\(path)[\(place)]", isWhole: isWhole)
            }
        case .object(let fields):
            guard let properties = schema["properties"]?.fields else { break }
            for name in schema["required"]?.items.compactMap(\.text) ?? [] { expect(fields[name] != nil, "no \(name)") }
            for (name, value) in fields {
                if let property = properties[name] {
                    wrong += self.complaints(value, property, at: "\(path).\(name)", isWhole: isWhole)
                } else if isWhole {
                    expect(false, "\(name) is not described")
                }
            }
        case .null, .bool: break
        }
        return wrong
    }

    private static func isKind(_ value: JSONValue, _ kind: String) -> Bool {
        switch (value, kind) {
        case (.null, "null"), (.bool, "boolean"), (.string, "string"), (.array, "array"), (.object, "object"): true
        case (.number, "number"): true
        case (.number(let number), "integer"): number.rounded() == number
        default: false
        }
    }

    private static func complaints(_ text: String, _ schema: JSONValue, _ path: String) -> [String] {
        var complaints: [String] = []
        let count = text.unicodeScalars.count
        if let least = schema["minLength"]?.number, count < Int(least) { complaints.append("\(path): minLength") }
        if let most = schema["maxLength"]?.number, count > Int(most) { complaints.append("\(path): maxLength") }
        if let pattern = schema["pattern"]?.text, !matches(text, pattern) { complaints.append("\(path): pattern") }
        if schema["format"]?.text == "date-time", !isDay(text) { complaints.append("\(path): no such day") }
        return complaints
    }

    private static func matches(_ text: String, _ pattern: String) -> Bool {
        // In this dialect `$` also matches before a final newline.
        guard !text.hasSuffix("\n"), let expression = try? NSRegularExpression(pattern: pattern) else { return false }
        return expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
    }

    private static func isDay(_ text: String) -> Bool {
        let numbers = text.prefix(10).split(separator: "-").compactMap { Int($0) }
        guard numbers.count == 3, (1...12).contains(numbers[1]) else { return false }
        let isLeap = numbers[0] % 4 == 0 && (numbers[0] % 100 != 0 || numbers[0] % 400 == 0)
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return (1...days[numbers[1] - 1]).contains(numbers[2])
    }
}
