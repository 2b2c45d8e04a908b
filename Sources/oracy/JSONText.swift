import FoundationEssentials

enum JSONText {
    /// Encodes a value with indentation and sorted keys, for programs and for people who read their input.
    static func of(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Encoding fails only for values that JSON cannot represent, such as infinity. Oracy's values contain none.
        return String(decoding: (try? encoder.encode(value)) ?? Data(), as: UTF8.self)
    }
}
