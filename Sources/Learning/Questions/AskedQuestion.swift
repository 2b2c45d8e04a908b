/// A question as it is put to somebody: how it is answered, and not what is right.
public struct AskedQuestion: Codable, Equatable, Sendable, Identifiable {
    public var id: String
    public var prompt: String
    public var form: Form

    /// How a question is answered.
    public enum Form: Codable, Equatable, Sendable {
        case multipleChoice(options: [String])
        case fillInTheBlank
        /// What may stand behind the number; nothing where nil.
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
