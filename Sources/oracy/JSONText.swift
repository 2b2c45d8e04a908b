import FoundationEssentials

enum JSONText {
    /// Indented, with keys in order, for programs and for people who look at what programs get.
    static func of(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Only values that JSON cannot hold (an infinite number) fail, and ours have none.
        return String(decoding: (try? encoder.encode(value)) ?? Data(), as: UTF8.self)
    }
}
