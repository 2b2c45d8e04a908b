public import ExamCore
import Papers

/// A question as a file of any format says it: some say little.
struct ReadQuestion: Equatable {
    /// Where it begins, counted from 1.
    var line: Int
    /// What the file calls it by, to keep.
    var id: String?
    /// A heading that may do for an id, and for a topic.
    var title: String?
    var topic: String?
    var difficulty: Paper.Difficulty?
    var bloom: Bloom?
    var prompt: String
    var key: AnswerKey
    var explanation: String?
    var writtenBy: String?

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

    /// One that says all.
    init(_ question: PracticeQuestion, line: Int) {
        self.init(
            line: line, id: question.id, topic: question.topic, difficulty: question.difficulty, bloom: question.bloom,
            prompt: question.prompt, key: question.key, explanation: question.explanation, writtenBy: question.writtenBy
        )
    }

    /// With what is missing from elsewhere; nil where that is missing, too. Its id is the file's, or empty.
    func question(_ defaults: PackDefaults = .init()) -> PracticeQuestion? {
        guard let topic = topic ?? defaults.topic?.lowercased() ?? title?.lowercased(),
            let difficulty = difficulty ?? defaults.difficulty,
            let explanation = explanation ?? defaults.explanation
        else { return nil }
        return PracticeQuestion(
            id: id ?? "", topic: topic, difficulty: difficulty, bloom: bloom, prompt: prompt, key: key,
            explanation: explanation, writtenBy: writtenBy)
    }

    /// What nobody says.
    func missing(_ defaults: PackDefaults) -> [ImportMistake] {
        func mistake(_ column: String, _ what: String) -> ImportMistake {
            ImportMistake(line: line, column, "", .missing, what)
        }
        var mistakes: [ImportMistake] = []
        if topic ?? defaults.topic ?? title == nil {
            mistakes.append(mistake("topic", "nothing says what it is about; --topic says it for all"))
        }
        if difficulty ?? defaults.difficulty == nil {
            mistakes.append(mistake("difficulty", "nothing says how hard it is; --difficulty says it for all"))
        }
        if explanation ?? defaults.explanation == nil {
            mistakes.append(
                mistake("explanation", "nothing explains the right answer; --explanation says something for all"))
        }
        return mistakes
    }

    /// Without line breaks in its texts.
    var onOneLine: ReadQuestion {
        var question = self
        question.prompt = prompt.onOneLine
        question.explanation = explanation?.onOneLine
        switch key {
        case .multipleChoice(var key):
            key.options = key.options.map(\.onOneLine)
            question.key = .multipleChoice(key)
        case .fillInTheBlank(let key): question.key = .fillInTheBlank(.init(accepted: key.accepted.map(\.onOneLine)))
        case .calculation, .spoken: break
        }
        return question
    }
}

/// What files of other programs may lack, for all of their questions.
public struct PackDefaults: Sendable {
    /// What they are about.
    public var topic: String?
    /// How hard they are.
    public var difficulty: Paper.Difficulty?
    /// Why their right answers are right.
    public var explanation: String?

    /// What is nil they have to say themselves.
    public init(topic: String? = nil, difficulty: Paper.Difficulty? = nil, explanation: String? = nil) {
        self.topic = topic
        self.difficulty = difficulty
        self.explanation = explanation
    }
}
