import Foundation

/// JSON as text: names may occur twice, and words may be invalid.
indirect enum JSON: Sendable, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    case object([(name: String, value: JSON)])
    case list([JSON])
    case text(String)
    /// A number, `true`, `null`, or any other text without quotes.
    case word(String)

    init(stringLiteral text: String) { self = .text(text) }
    init(arrayLiteral values: JSON...) { self = .list(values) }
    init(dictionaryLiteral fields: (String, JSON)...) { self = .object(fields.map { (name: $0.0, value: $0.1) }) }

    /// Parses valid JSON.
    init(reading bytes: [UInt8]) throws {
        self = try JSONDecoder().decode(Read.self, from: Data(bytes)).json
    }

    var written: String {
        switch self {
        case .object(let fields):
            "{\(fields.map { "\(Self.quoted($0.name)):\($0.value.written)" }.joined(separator: ","))}"
        case .list(let values): "[\(values.map(\.written).joined(separator: ","))]"
        case .text(let text): Self.quoted(text)
        case .word(let word): word
        }
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case _ where scalar.value < 32:
                quoted += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    private struct Read: Decodable {
        var json: JSON

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if value.decodeNil() {
                json = .word("null")
            } else if let text = try? value.decode(String.self) {
                json = .text(text)
            } else if let flag = try? value.decode(Bool.self) {
                json = .word(String(flag))
            } else if let number = try? value.decode(Int.self) {
                json = .word(String(number))
            } else if let number = try? value.decode(Double.self) {
                json = .word(String(number))
            } else if let list = try? value.decode([Read].self) {
                json = .list(list.map(\.json))
            } else {
                let fields = try value.decode([String: Read].self)
                json = .object(fields.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value.json) })
            }
        }
    }
}
