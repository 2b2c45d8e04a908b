import Foundation

/// A JSON text as a value that tests can inspect and change.
enum JSONValue: Hashable, Codable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    init(_ bytes: [UInt8]) throws { self = try JSONDecoder().decode(JSONValue.self, from: Data(bytes)) }

    /// The value as JSON. Whole numbers have no fraction.
    var bytes: [UInt8] { (try? JSONEncoder().encode(self)).map { Array($0) } ?? [] }

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .string(text)
        } else if let items = try? value.decode([JSONValue].self) {
            self = .array(items)
        } else {
            self = .object(try value.decode([String: JSONValue].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .null: try value.encodeNil()
        case .bool(let bool): try value.encode(bool)
        case .number(let number):
            if let whole = Int64(exactly: number) { try value.encode(whole) } else { try value.encode(number) }
        case .string(let text): try value.encode(text)
        case .array(let items): try value.encode(items)
        case .object(let fields): try value.encode(fields)
        }
    }

    // MARK: - Access

    /// Returns a field of an object. Nil if it is absent, or if this is not an object.
    subscript(name: String) -> JSONValue? {
        get { if case .object(let fields) = self { fields[name] } else { nil } }
        set {
            guard case .object(var fields) = self else { return }
            fields[name] = newValue
            self = .object(fields)
        }
    }

    subscript(place: Int) -> JSONValue? {
        get { if case .array(let items) = self, items.indices ~= place { items[place] } else { nil } }
        set {
            guard case .array(var items) = self, items.indices ~= place, let newValue else { return }
            items[place] = newValue
            self = .array(items)
        }
    }

    var text: String? { if case .string(let text) = self { text } else { nil } }
    var number: Double? { if case .number(let number) = self { number } else { nil } }
    var items: [JSONValue] { if case .array(let items) = self { items } else { [] } }
    var fields: [String: JSONValue] { if case .object(let fields) = self { fields } else { [:] } }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral
{
    init(stringLiteral text: String) { self = .string(text) }
    init(integerLiteral number: Int) { self = .number(Double(number)) }
    init(floatLiteral number: Double) { self = .number(number) }
    init(booleanLiteral bool: Bool) { self = .bool(bool) }
    init(arrayLiteral items: JSONValue...) { self = .array(items) }
    init(dictionaryLiteral fields: (String, JSONValue)...) {
        self = .object(Dictionary(uniqueKeysWithValues: fields))
    }
}
