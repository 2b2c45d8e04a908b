import SystemSupport

/// Model answers to questions of the built-in bank, written by people at three levels. They show a learner what an
/// answer of the next level does better.
public struct ModelAnswers: Codable, Equatable, Sendable {
    /// The version of the file's layout. A reader refuses any other version.
    public static let layoutVersion = 1

    public var version: Int
    public var items: [Item]

    /// The answers to the questions of one item of the bank.
    public struct Item: Codable, Equatable, Sendable {
        /// The item's id.
        public var item: String
        public var questions: [Question]
    }

    /// The answers to one question.
    public struct Question: Codable, Equatable, Sendable {
        /// The question's text. For a card, its topic.
        public var question: String
        /// In the order of their levels. They express the same ideas, so that they can be compared.
        public var answers: [Answer]
    }

    /// One answer.
    public struct Answer: Codable, Equatable, Sendable {
        public var level: LessonItem.Level
        public var text: String
        /// The feature that makes it an answer of this level, or that the next level adds.
        public var note: String
    }

    /// Returns the answers to a question of the built-in bank, in the order of their levels. Empty if it has none.
    ///
    /// - Parameter question: the question's text, or a card's topic.
    public static func answers(to question: String) -> [Answer] { builtIn[question] ?? [] }

    /// The questions of the built-in bank that have answers, and the cards' topics, in alphabetical order.
    public static let questions = builtIn.keys.sorted()

    /// The built-in answers by question.
    private static let builtIn: [String: [Answer]] = {
        let files = [PackageResources.model_answers_cards_json, PackageResources.model_answers_questions_json]
        // Tests read each file strictly.
        let items = files.compactMap {
            try? JSONFile.decodeOwn(
                ModelAnswers.self, "file of model answers", version: layoutVersion, from: $0, name: "answers")
        }.flatMap(\.items)
        return Dictionary(
            items.flatMap(\.questions).map { ($0.question, $0.answers) }, uniquingKeysWith: { first, _ in first })
    }()
}
