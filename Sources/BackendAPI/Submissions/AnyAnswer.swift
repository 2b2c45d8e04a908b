/// A learner's answer to one question of a quiz or an exam.
///
/// In JSON, `type` is its kind: `{"type":"multipleChoice","selectedOption":2}`.
public enum AnyAnswer: Equatable, Sendable {
    /// The index of the chosen option, from 0.
    case multipleChoice(selectedOption: Int)
    case fillInTheBlank(textAnswer: String)
    /// The text as typed, with its unit. `3.50` differs from `3.5`.
    case calculation(numericAnswer: String)
    /// An uploaded recording: the id of its upload, its length in seconds, and the SHA-256 of its bytes.
    case spoken(audioId: String, duration: Double, sha256: String)
}

extension AnyAnswer: Codable {
    private enum Key: String, CodingKey {
        case type, selectedOption, textAnswer, numericAnswer, audioId, duration, sha256
    }

    private static let kinds = "multipleChoice, fillInTheBlank, calculation or spoken"
    /// The longest text: longer than any answer to a quiz, shorter than an essay.
    private static let longest = 10_000

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        func text(_ key: Key, atMost most: Int = Self.longest) throws -> String {
            let text = try values.decode(String.self, forKey: key)
            guard text.unicodeScalars.count <= most else {
                throw refused(key, "must have at most \(most) characters.", in: values)
            }
            return text
        }
        switch try values.decode(String.self, forKey: .type) {
        case "multipleChoice":
            let option = try values.decode(Int.self, forKey: .selectedOption)
            guard 0..<1000 ~= option else {
                throw refused(.selectedOption, "must be an option's index, from 0.", in: values)
            }
            self = .multipleChoice(selectedOption: option)
        case "fillInTheBlank":
            self = .fillInTheBlank(textAnswer: try text(.textAnswer))
        case "calculation":
            let typed = try text(.numericAnswer, atMost: 100)
            guard typed.wholeMatch(of: /[-+]?[.,]?[0-9][0-9., ]{0,30}[A-Za-z%°€£$\/ ]{0,30}/) != nil else {
                throw refused(.numericAnswer, "must be a number, with a unit behind it or without.", in: values)
            }
            self = .calculation(numericAnswer: typed)
        case "spoken":
            let duration = try values.decode(Double.self, forKey: .duration)
            guard duration.isFinite, 0...3600 ~= duration else {
                throw refused(.duration, "must be 0 to 3600 seconds.", in: values)
            }
            let sha256 = try text(.sha256, atMost: 64)
            guard sha256.utf8.count == 64, sha256.allSatisfy(\.isHexDigit) else {
                throw refused(.sha256, "must be 64 hexadecimal digits.", in: values)
            }
            self = .spoken(audioId: try text(.audioId, atMost: 100), duration: duration, sha256: sha256)
        default:
            throw refused(.type, "must be \(Self.kinds).", in: values)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        switch self {
        case .multipleChoice(let selectedOption):
            try values.encode("multipleChoice", forKey: .type)
            try values.encode(selectedOption, forKey: .selectedOption)
        case .fillInTheBlank(let textAnswer):
            try values.encode("fillInTheBlank", forKey: .type)
            try values.encode(textAnswer, forKey: .textAnswer)
        case .calculation(let numericAnswer):
            try values.encode("calculation", forKey: .type)
            try values.encode(numericAnswer, forKey: .numericAnswer)
        case .spoken(let audioId, let duration, let sha256):
            try values.encode("spoken", forKey: .type)
            try values.encode(audioId, forKey: .audioId)
            try values.encode(duration, forKey: .duration)
            try values.encode(sha256, forKey: .sha256)
        }
    }
}

private func refused<Key: CodingKey>(
    _ key: Key, _ words: String, in values: KeyedDecodingContainer<Key>
) -> DecodingError {
    .dataCorruptedError(forKey: key, in: values, debugDescription: words)
}
