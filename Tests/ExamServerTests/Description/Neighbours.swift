/// Values just inside and just outside of what a description allows, made from the description and one good value.
struct Neighbours {
    /// A value with one change, and the changed field.
    struct Neighbour {
        /// The path of the field: `answers[0].questionId`.
        var field: String
        var value: JSONValue
    }

    let described: Described

    /// Returns the neighbours of a value for everything that its schema constrains.
    func all(of value: JSONValue, _ schema: JSONValue) -> [Neighbour] {
        inside(value, schema, "").map { Neighbour(field: $0.field, value: $0.value ?? .null) }
    }

    /// Returns changed values with their fields. A nil `value` leaves the field out.
    private func inside(_ value: JSONValue, _ schema: JSONValue, _ field: String) -> [(
        field: String, value: JSONValue?
    )] {
        var schema = described.resolved(schema)
        if let choices = schema["oneOf"]?.items {
            guard let own = choices.first(where: { described.complaints(value, $0).isEmpty }) else { return [] }
            schema = own
        }
        var all: [(field: String, value: JSONValue?)] = others(than: value, schema).map { (field, $0) }
        // In the order of the names, so that each run tries the same values.
        for (name, property) in (schema["properties"]?.fields ?? [:]).sorted(by: { $0.key < $1.key }) {
            let path = field.isEmpty ? name : "\(field).\(name)"
            guard let there = value[name] else { continue }
            var changed = inside(there, property, path)
            changed.append((path, nil))
            for (path, new) in changed {
                var whole = value
                whole[name] = new
                all.append((path, whole))
            }
        }
        if let item = schema["items"] {
            for (place, there) in value.items.enumerated() {
                for (path, new) in inside(there, item, "\(field)[\(place)]") {
                    var whole = value
                    whole[place] = new
                    all.append((path, whole))
                }
            }
        }
        return all
    }

    private func others(than value: JSONValue, _ schema: JSONValue) -> [JSONValue] {
        // Without a type, any value is allowed.
        guard schema["type"] != nil || schema["const"] != nil || schema["enum"] != nil else { return [] }
        var others: [JSONValue] = [
            .null, .bool(true), .bool(false), .number(1.5), .string("x"), .array([]), .object([:]),
        ]
        others += (schema["enum"]?.items ?? []) + (schema["const"].map { [$0] } ?? [])
        if let least = schema["minimum"]?.number {
            others += [.number(least), .number(least - 1), .number(least - 0.25)]
        }
        if let most = schema["maximum"]?.number { others += [.number(most), .number(most + 1), .number(most + 0.25)] }
        if let text = value.text { others += texts(near: text, schema).map { .string($0) } }
        for key in ["minItems", "maxItems"] {
            guard let count = schema[key]?.number.map({ Int($0) }), let first = value.items.first else { continue }
            others += [count - 1, count, count + 1].map { .array((0..<max($0, 0)).map { numbered(first, $0) }) }
        }
        return others
    }

    /// Returns an item with an id of its own, for lists whose items must differ.
    private func numbered(_ item: JSONValue, _ number: Int) -> JSONValue {
        var item = item
        if item["questionId"] != nil { item["questionId"] = .string("q\(number)") }
        return item
    }

    private func texts(near text: String, _ schema: JSONValue) -> [String] {
        var texts = ["", text + "x", text + "\u{7F}", text + "\u{1F}", text + "\u{A0}", text + " ", text.uppercased()]
        texts += [String(text.dropLast()), String(text.dropFirst())]
        for key in ["minLength", "maxLength"] {
            guard let count = schema[key]?.number.map({ Int($0) }) else { continue }
            // A letter of one byte, one of two, and one of four that is two UTF-16 units.
            for letter in ["a", "é", "😀"] {
                texts += [count - 1, count, count + 1].map { String(repeating: letter, count: max($0, 0)) }
            }
        }
        guard schema["pattern"] != nil, text.count > 1 else { return texts }
        if schema["format"]?.text == "date-time" {
            texts += ["2026-02-31T09:12:29Z", "2028-02-29T09:12:29Z", "2026-02-29T09:12:29Z"]
        }
        for place in stride(from: 0, to: text.count, by: max(1, text.count / 12)) {
            for letter in ["9", "0", "Z", "-", "é", "\u{FF11}"] {
                var changed = Array(text)
                changed[place] = Character(letter)
                texts.append(String(changed))
            }
        }
        return texts
    }
}
