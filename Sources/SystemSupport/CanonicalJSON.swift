import FoundationEssentials

/// JSON in the canonical form of RFC 8785: fields sorted, no spaces, numbers as in ECMAScript. Digests of JSON are
/// digests of these bytes, so they don't depend on the layout that a database or program uses.
package indirect enum CanonicalJSON: Decodable, Equatable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    case list([CanonicalJSON])
    case object([String: CanonicalJSON])

    /// Reads a JSON text.
    ///
    /// - Throws: `DecodingError` if the text isn't JSON.
    package init(_ text: String) throws {
        self = try JSONDecoder().decode(CanonicalJSON.self, from: Data(text.utf8))
    }

    /// The JSON value of anything encodable.
    ///
    /// - Throws: `EncodingError` if the value can't be written, for example because it holds an infinite number.
    package init(of value: some Encodable) throws {
        self = try JSONDecoder().decode(CanonicalJSON.self, from: JSONEncoder().encode(value))
    }

    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let fields = try? value.decode([String: CanonicalJSON].self) {
            self = .object(fields)
        } else if let items = try? value.decode([CanonicalJSON].self) {
            self = .list(items)
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if value.decodeNil() {
            self = .null
        } else {
            throw DecodingError.dataCorruptedError(in: value, debugDescription: "This isn't a JSON value.")
        }
    }

    /// The canonical form.
    package var written: String {
        switch self {
        case .null: "null"
        case .bool(let bool): bool ? "true" : "false"
        case .number(let number): Self.written(number)
        case .text(let text): Self.written(text)
        case .list(let items): "[" + items.map(\.written).joined(separator: ",") + "]"
        case .object(let fields):
            // RFC 8785 sorts by UTF-16 code units.
            "{"
                + fields.sorted { $0.key.utf16.lexicographicallyPrecedes($1.key.utf16) }
                .map { Self.written($0.key) + ":" + $0.value.written }.joined(separator: ",") + "}"
        }
    }

    /// SHA-256 of the canonical form in UTF-8, as 64 hexadecimal digits in lower case.
    package var sha256: String { SHA256.hexadecimal(of: Array(written.utf8)) }

    private static func written(_ text: String) -> String {
        var written = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": written += "\\\""
            case "\\": written += "\\\\"
            case "\u{8}": written += "\\b"
            case "\t": written += "\\t"
            case "\n": written += "\\n"
            case "\u{C}": written += "\\f"
            case "\r": written += "\\r"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                written += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: written.unicodeScalars.append(scalar)
            }
        }
        return written + "\""
    }

    /// Writes a number like ECMAScript's `Number::toString`. Swift finds the same shortest digits, but places the point
    /// and the exponent differently.
    private static func written(_ number: Double) -> String {
        if number == 0 { return "0" }
        if number < 0 { return "-" + written(-number) }
        let parts = "\(number)".split(separator: "e")
        let mantissa = parts[0].split(separator: ".")
        var digits = String(mantissa[0]) + (mantissa.count > 1 ? String(mantissa[1]) : "")
        // The place of the point, counted from the first of the digits.
        var point = mantissa[0].count + (parts.count > 1 ? Int(parts[1]) ?? 0 : 0)
        let leading = digits.prefix { $0 == "0" }.count
        digits.removeFirst(leading)
        point -= leading
        while digits.last == "0" { digits.removeLast() }
        switch point {
        case digits.count...21 where point > 0: return digits + String(repeating: "0", count: point - digits.count)
        case 1..<max(2, digits.count) where point <= 21:
            return digits.prefix(point) + "." + digits.dropFirst(point)
        case -5...0: return "0." + String(repeating: "0", count: -point) + digits
        default:
            let exponent = point - 1
            let rest = digits.dropFirst()
            return digits.prefix(1) + (rest.isEmpty ? "" : "." + rest) + "e" + (exponent < 0 ? "" : "+") + "\(exponent)"
        }
    }
}
