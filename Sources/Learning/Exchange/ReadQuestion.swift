public import ExamCore
import Papers

/// A question as a file of any format states it. Some formats state little.
struct ReadQuestion: Equatable {
    /// The number of its first line, from 1.
    var line: Int
    /// The id in the file, which the question keeps.
    var id: String?
    /// A heading that can serve as an id and as a topic.
    var title: String?
    var topic: String?
    var difficulty: Paper.Difficulty?
    var bloom: Bloom?
    var prompt: String
    var key: AnswerKey
    var explanation: String?
    var writtenBy: String?
    /// The memory that it shares with other questions, and the words of a listening question. Only packs have them.
    var item: String?
    var speech: String?

    init(
        line: Int, id: String? = nil, title: String? = nil, topic: String? = nil, difficulty: Paper.Difficulty? = nil,
        bloom: Bloom? = nil, prompt: String, key: AnswerKey, explanation: String? = nil, writtenBy: String? = nil
    ) {
        self.line = line
        self.id = id
        self.title = title
        self.topic = topic
        self.difficulty = difficulty
        self.bloom = bloom
        self.prompt = prompt
        self.key = key
        self.explanation = explanation
        self.writtenBy = writtenBy
    }

    /// Creates a complete question.
    init(_ question: PracticeQuestion, line: Int) {
        self.init(
            line: line, id: question.id, topic: question.topic, difficulty: question.difficulty, bloom: question.bloom,
            prompt: question.prompt, key: question.key, explanation: question.explanation, writtenBy: question.writtenBy
        )
        (item, speech) = (question.item, question.speech)
    }

    /// Returns the question completed with defaults. Nil if a fact is still missing. Its id is the file's, or empty.
    func question(_ defaults: PackDefaults = .init()) -> PracticeQuestion? {
        guard let topic = topic ?? defaults.topic?.lowercased() ?? title?.lowercased(),
            let difficulty = difficulty ?? defaults.difficulty,
            let explanation = explanation ?? defaults.explanation
        else { return nil }
        return PracticeQuestion(
            id: id ?? "", topic: topic, difficulty: difficulty, bloom: bloom, prompt: prompt, key: key,
            explanation: explanation, writtenBy: writtenBy, item: item, speech: speech)
    }

    /// Returns a mistake for each fact that neither the file nor the defaults state.
    func missing(_ defaults: PackDefaults) -> [ImportMistake] {
        func mistake(_ column: String, _ what: String) -> ImportMistake {
            ImportMistake(line: line, column, "", .missing, what)
        }
        var mistakes: [ImportMistake] = []
        if topic ?? defaults.topic ?? title == nil {
            mistakes.append(mistake("topic", "has no topic; set one for all such questions with --topic"))
        }
        if difficulty ?? defaults.difficulty == nil {
            mistakes.append(
                mistake("difficulty", "has no difficulty; set one for all such questions with --difficulty"))
        }
        if explanation ?? defaults.explanation == nil {
            mistakes.append(
                mistake("explanation", "has no explanation; set one for all such questions with --explanation"))
        }
        return mistakes
    }

    /// The question without line breaks in its texts.
    var onOneLine: ReadQuestion {
        var question = self
        question.prompt = prompt.onOneLine
        question.explanation = explanation?.onOneLine
        question.key = key.mapTexts(\.onOneLine)
        return question
    }

    /// Brings the typography of all texts into one form.
    mutating func normalise(_ typography: inout Typography, decodes: Bool) {
        func plain(_ text: String) -> String { typography.normalised(text, decodes: decodes) }
        prompt = plain(prompt)
        explanation = explanation.map(plain)
        topic = topic.map(plain)
        title = title.map(plain)
        speech = speech.map(plain)
        key = key.mapTexts(plain)
    }
}

extension AnswerKey {
    /// Returns the key with each of its texts changed.
    func mapTexts(_ change: (String) -> String) -> AnswerKey {
        switch self {
        case .multipleChoice(let key): .multipleChoice(.init(options: key.options.map(change), correct: key.correct))
        case .multipleResponse(let key):
            .multipleResponse(.init(options: key.options.map(change), correct: key.correct))
        case .ordering(let key): .ordering(.init(options: key.options.map(change), correct: key.correct))
        case .matching(let key):
            .matching(
                .init(
                    premises: key.premises.map(change), options: key.options.map(change), correct: key.correct))
        case .fillInTheBlank(let key): .fillInTheBlank(.init(accepted: key.accepted.map(change)))
        case .calculation(let key):
            .calculation(
                .init(value: key.value, tolerance: key.tolerance, units: key.units.map { $0.map(change) }))
        case .spoken: self
        }
    }
}

/// Defaults for facts that files of other programs may lack. They apply to all questions.
public struct PackDefaults: Sendable {
    /// The topic of the questions.
    public var topic: String?
    /// The difficulty of the questions.
    public var difficulty: Paper.Difficulty?
    /// The explanation of the right answers.
    public var explanation: String?

    /// Creates defaults. A fact that is nil has to be in the file.
    public init(topic: String? = nil, difficulty: Paper.Difficulty? = nil, explanation: String? = nil) {
        self.topic = topic
        self.difficulty = difficulty
        self.explanation = explanation
    }
}
