/// A question as the learner sees it: with the kind of answer it expects, but without the key.
public struct AskedQuestion: Codable, Equatable, Sendable, Identifiable {
    public var id: String
    public var prompt: String
    public var form: Form

    /// The kind of answer that a question expects.
    public enum Form: Codable, Equatable, Sendable {
        case multipleChoice(options: [String])
        case fillInTheBlank
        /// The units that may follow the number. Nil if no unit may follow.
        case calculation(units: [String]?)
        case spoken
    }

    public init(id: String, prompt: String, form: Form) {
        self.id = id
        self.prompt = prompt
        self.form = form
    }
}

extension PracticeQuestion {
    public var asked: AskedQuestion {
        let form: AskedQuestion.Form =
            switch key {
            case .multipleChoice(let key): .multipleChoice(options: key.options)
            case .fillInTheBlank: .fillInTheBlank
            case .calculation(let key): .calculation(units: key.units)
            case .spoken: .spoken
            }
        return AskedQuestion(id: id, prompt: prompt, form: form)
    }
}
