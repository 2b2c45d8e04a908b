/// A type that decodes from one of a few words in a file. The error for an unknown word lists the known ones.
public protocol Choice: RawRepresentable<String>, CaseIterable, Codable, Equatable, Sendable {}

extension Choice {
    public init(from decoder: any Decoder) throws {
        let word = try decoder.singleValueContainer().decode(String.self)
        guard let choice = Self(rawValue: word) else {
            let known = Self.allCases.map(\.rawValue).spoken
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "should be \(known), not \"\(word)\"")
            )
        }
        self = choice
    }
}

extension [String] {
    /// The words as an English list: "a, b or c".
    package var spoken: String {
        count < 2 ? joined() : dropLast().joined(separator: ", ") + " or " + self[count - 1]
    }
}
