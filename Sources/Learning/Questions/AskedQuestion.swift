/// A question as the learner sees it: with the kind of answer it expects, but without the key.
public struct AskedQuestion: Codable, Equatable, Sendable, Identifiable {
    public var id: String
    public var prompt: String
    public var form: Form

    /// The kind of answer that a question expects.
    public enum Form: Codable, Equatable, Sendable {
        case multipleChoice(options: [String])
        case multipleResponse(options: [String])
        case ordering(options: [String])
        case matching(premises: [String], options: [String])
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

extension AskedQuestion {
    /// The texts that answers refer to by their index. Empty for an answer that is typed or spoken.
    public var options: [String] {
        switch form {
        case .multipleChoice(let options), .multipleResponse(let options), .ordering(let options),
            .matching(_, let options):
            options
        case .fillInTheBlank, .calculation, .spoken: []
        }
    }

    /// The texts that each need an option. Empty for other forms than matching.
    public var premises: [String] { if case .matching(let premises, _) = form { premises } else { [] } }
}

extension PracticeQuestion {
    public var asked: AskedQuestion {
        let form: AskedQuestion.Form =
            switch key {
            case .multipleChoice(let key): .multipleChoice(options: key.options)
            case .multipleResponse(let key): .multipleResponse(options: key.options)
            case .ordering(let key): .ordering(options: key.options)
            case .matching(let key): .matching(premises: key.premises, options: key.options)
            case .fillInTheBlank: .fillInTheBlank
            case .calculation(let key): .calculation(units: key.units)
            case .spoken: .spoken
            }
        return AskedQuestion(id: id, prompt: prompt, form: form)
    }
}
