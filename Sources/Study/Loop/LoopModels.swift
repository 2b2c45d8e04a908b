public import Learning

/// The model answers to a question at a learner's level and one level above.
public struct LoopModels: Equatable, Sendable {
    /// The answers in the order of their levels: two, one at the highest level, or none.
    public let answers: [ModelAnswers.Answer]
    /// The question that `answers` belong to, if there are none for the learner's own question: the nearest one that
    /// has some. Nil if they answer the learner's question.
    public let otherQuestion: String?

    /// Chooses among the built-in model answers.
    ///
    /// - Parameters:
    ///   - question: The question's words, or a card's topic. Nil if unknown.
    ///   - band: The learner's band, 0 to 9. Nil if unknown: then the two lowest levels are chosen.
    public init(to question: String?, band: Double?) {
        guard let question else {
            (answers, otherQuestion) = ([], nil)
            return
        }
        var found = ModelAnswers.answers(to: question)
        var other: String?
        if found.isEmpty, let nearest = Self.nearest(to: question) {
            (found, other) = (ModelAnswers.answers(to: nearest), nearest)
        }
        otherQuestion = other
        let level = band.map(Self.level) ?? .b1
        let start = found.firstIndex { $0.level == level } ?? 0
        answers = Array(found[start...].prefix(2))
    }

    /// Returns the level that IELTS compares with a band: B1 below 5.5, B2 below 7, then C1.
    static func level(of band: Double) -> LessonItem.Level {
        switch band {
        case ..<5.5: .b1
        case ..<7: .b2
        default: .c1
        }
    }

    /// Returns the question with model answers that shares the most longer words with the given one. It must share at
    /// least two of them, or one if the given question has only one. Otherwise nil.
    private static func nearest(to question: String) -> String? {
        let words = contentWords(question)
        guard !words.isEmpty else { return nil }
        let shared = ModelAnswers.questions.map { other in
            let others = contentWords(other)
            let common = words.intersection(others).count
            return (other, common, share: Double(common) / Double(words.union(others).count))
        }
        return shared.filter { $0.1 >= min(2, words.count) }.max { $0.share < $1.share }?.0
    }

    /// Returns the words of at least five letters, except common ones. Shorter words say little about the topic.
    private static func contentWords(_ text: String) -> Set<String> {
        Set(text.lowercased().split { !$0.isLetter }.filter { $0.count >= 5 }.map(String.init)).subtracting(common)
    }

    private static let common: Set<String> = [
        "about", "there", "these", "those", "think", "would", "could", "should", "often", "usually", "people",
        "describe", "where", "which", "prefer",
    ]
}
