/// The mistakes in a scorer's complete answer (`responses.azure_response`): those that a pronunciation assessment marks
/// in words, and lists that other scorers add.
struct FoundMistakes: Decodable {
    var mistakes: [SessionResults.Mistake]

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: AnyKey.self)
        mistakes = []
        // Azure's names begin with capitals. The strategy for snake case doesn't change them.
        if let best = try? fields.decode([Best].self, forKey: AnyKey("NBest")) {
            mistakes += (best.first?.words ?? []).compactMap(\.mistake)
        }
        for name in ["mistakes", "errors", "grammarErrors", "vocabularyErrors"] {
            guard let listed = try? fields.decode([Listed].self, forKey: AnyKey(name)) else { continue }
            mistakes += listed.compactMap(\.mistake)
        }
    }

    private struct AnyKey: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private struct Best: Decodable {
        var words: [Word]?

        private enum CodingKeys: String, CodingKey { case words = "Words" }
    }

    /// A word in Azure's form: flat over REST, nested from its SDK.
    private struct Word: Decodable {
        var word: String
        var errorType: String?

        private enum CodingKeys: String, CodingKey {
            case word = "Word"
            case errorType = "ErrorType"
            case nested = "PronunciationAssessment"
        }

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            word = try fields.decode(String.self, forKey: .word)
            errorType = try fields.decodeIfPresent(String.self, forKey: .errorType)
            if errorType == nil, let nested = try? fields.nestedContainer(keyedBy: CodingKeys.self, forKey: .nested) {
                errorType = try nested.decodeIfPresent(String.self, forKey: .errorType)
            }
        }

        var mistake: SessionResults.Mistake? {
            guard let errorType, errorType != "None" else { return nil }
            return SessionResults.Mistake(original: word, type: errorType, category: "pronunciation")
        }
    }

    private struct Listed: Decodable {
        var original, word, correction, type, category: String?
        var start, end: Int?

        var mistake: SessionResults.Mistake? {
            guard let text = original ?? word else { return nil }
            return SessionResults.Mistake(
                original: text, correction: correction, type: type, category: category, start: start, end: end)
        }
    }
}
