import ExamCore
import Learning

extension AskedQuestion {
    /// Converts typed text to an answer; nil if it is invalid.
    func answer(typed text: String) -> PracticeAnswer? {
        let text = text.cleaned.split(separator: " ").joined(separator: " ")
        guard !text.isEmpty else { return nil }
        switch form {
        case .multipleChoice(let options):
            let letters = options.indices.map { String(Self.letter($0)) }
            let place =
                letters.firstIndex(of: text.lowercased()) ?? Int(text).map { $0 - 1 }
                ?? options.firstIndex { $0.lowercased() == text.lowercased() }
            guard let place, options.indices.contains(place) else { return nil }
            return .multipleChoice(selectedOption: place)
        case .fillInTheBlank: return .fillInTheBlank(textAnswer: text)
        case .calculation: return .calculation(numericAnswer: text)
        case .spoken: return nil
        }
    }

    /// The advice after an invalid answer.
    var howToAnswer: String {
        switch form {
        case .multipleChoice(let options): "Type a letter, a to \(Self.letter(options.count - 1))."
        case .fillInTheBlank: "Type the missing words."
        case .calculation(let units):
            units.map { "Type a number, and \($0.spoken) if you like." } ?? "Type a number."
        case .spoken: "Answer this question aloud."
        }
    }

    /// The letter of an option: `a`, `b` …
    static func letter(_ place: Int) -> Character { Character(Unicode.Scalar(UInt8(97 + place))) }
}

extension PracticeQuestion {
    /// The right answer, as shown to the learner.
    var rightAnswer: String {
        if case .multipleChoice(let key) = key {
            return "\(AskedQuestion.letter(key.correct))  \(key.options[key.correct])"
        }
        return solution.typed
    }
}

extension Verdict {
    /// The heading of the explanation.
    var word: String {
        switch self {
        case .right: "Right."
        case .wrong, .notAnAnswer: "Not right."
        case .nearMiss: "Almost: check the spelling. It does not count as right."
        }
    }
}
