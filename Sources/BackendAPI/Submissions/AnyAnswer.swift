/// A learner's answer to one question of a quiz or an exam.
///
/// In JSON, `type` is its kind: `{"type":"multipleChoice","selectedOption":2}`. Also read is the form that Swift gives
/// such an enumeration by itself, `{"multipleChoice":{"selectedOption":2}}`.
public enum AnyAnswer: Equatable, Sendable {
    /// The index of the chosen option, from 0.
    case multipleChoice(selectedOption: Int)
    /// The indices of the chosen options, from 0, each once.
    case multipleResponse(selectedOptions: [Int])
    /// The indices of all options, from 0, in the learner's order.
    case ordering(order: [Int])
    /// The index of an option, from 0, for each premise.
    case matching(matches: [Int])
    case fillInTheBlank(textAnswer: String)
    /// The text as typed, with its unit. `3.50` differs from `3.5`.
    case calculation(numericAnswer: String)
    /// An uploaded recording: the id of its upload, its length in seconds, and the SHA-256 of its bytes.
    case spoken(audioId: String, duration: Double, sha256: String)
}

extension AnyAnswer: Codable {
    private enum Key: String, CodingKey {
        case type, selectedOption, selectedOptions, order, matches, textAnswer, numericAnswer, audioId, duration, sha256
    }

    private static let kinds =
        "multipleChoice, multipleResponse, ordering, matching, fillInTheBlank, calculation or spoken"
    /// The longest text: longer than any answer to a quiz, shorter than an essay.
    private static let longest = 10_000
    /// The most parts of an answer: more than any question has.
    private static let mostParts = 50

    /// A kind as the only field of an answer.
    private enum Kind: String, CodingKey, CaseIterable {
        case multipleChoice, multipleResponse, ordering, matching, fillInTheBlank, calculation, spoken
    }

    public init(from decoder: any Decoder) throws {
        let outer = try decoder.container(keyedBy: Key.self)
        let kinds = try decoder.container(keyedBy: Kind.self)
        let (values, kind): (KeyedDecodingContainer<Key>, String) =
            if !outer.contains(.type), let only = kinds.allKeys.first, kinds.allKeys.count == 1 {
                (try kinds.nestedContainer(keyedBy: Key.self, forKey: only), only.rawValue)
            } else {
                (outer, try outer.decode(String.self, forKey: .type))
            }
        func text(_ key: Key, atMost most: Int = Self.longest) throws -> String {
            let text = try values.decode(String.self, forKey: key)
            guard text.unicodeScalars.count <= most else {
                throw refused(key, "must have at most \(most) characters.", in: values)
            }
            return text
        }
        func indices(_ key: Key) throws -> [Int] {
            let indices = try values.decode([Int].self, forKey: key)
            guard 1...Self.mostParts ~= indices.count, indices.allSatisfy({ 0..<1000 ~= $0 }) else {
                throw refused(key, "must be 1 to \(Self.mostParts) indices of options, from 0.", in: values)
            }
            return indices
        }
        switch kind {
        case "multipleChoice":
            let option = try values.decode(Int.self, forKey: .selectedOption)
            guard 0..<1000 ~= option else {
                throw refused(.selectedOption, "must be an option's index, from 0.", in: values)
            }
            self = .multipleChoice(selectedOption: option)
        case "multipleResponse": self = .multipleResponse(selectedOptions: try indices(.selectedOptions))
        case "ordering": self = .ordering(order: try indices(.order))
        case "matching": self = .matching(matches: try indices(.matches))
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
        case .multipleResponse(let selectedOptions):
            try values.encode("multipleResponse", forKey: .type)
            try values.encode(selectedOptions, forKey: .selectedOptions)
        case .ordering(let order):
            try values.encode("ordering", forKey: .type)
            try values.encode(order, forKey: .order)
        case .matching(let matches):
            try values.encode("matching", forKey: .type)
            try values.encode(matches, forKey: .matches)
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
