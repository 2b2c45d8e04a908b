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
        case .multipleResponse(let options):
            return places(in: text, of: options).map { .multipleResponse(selectedOptions: Set($0).sorted()) }
        case .ordering(let options):
            guard let order = places(in: text, of: options), order.sorted() == Array(options.indices) else {
                return nil
            }
            return .ordering(order: order)
        case .matching(let premises, let options):
            guard let matches = places(in: text, of: options), matches.count == premises.count else { return nil }
            return .matching(matches: matches)
        case .fillInTheBlank: return .fillInTheBlank(textAnswer: text)
        case .calculation: return .calculation(numericAnswer: text)
        case .spoken: return nil
        }
    }

    /// Returns the options with these letters: `b a c`, `bac` or `b, a, c`. Nil if a letter belongs to none.
    private func places(in text: String, of options: [String]) -> [Int]? {
        let letters = text.lowercased().filter { !$0.isWhitespace && !",;".contains($0) }
        let places = letters.compactMap { letter in options.indices.first { Self.letter($0) == letter } }
        return places.isEmpty || places.count != letters.count ? nil : places
    }

    /// The advice after an invalid answer.
    var howToAnswer: String {
        switch form {
        case .multipleChoice(let options): "Type a letter, a to \(Self.letter(options.count - 1))."
        case .multipleResponse: "Type the letters of all right options, such as a c."
        case .ordering(let options):
            "Type all letters in the right order, such as \(Self.letters(options.indices.reversed()))."
        case .matching(let premises, _):
            "Type a letter for each number, in their order: \(premises.count) letters."
        case .fillInTheBlank: "Type the missing words."
        case .calculation(let units):
            units.map { "Type a number, and \($0.spoken) if you like." } ?? "Type a number."
        case .spoken: "Answer this question aloud."
        }
    }

    /// The letter of an option: `a`, `b` …
    static func letter(_ place: Int) -> Character { Character(Unicode.Scalar(UInt8(97 + place))) }

    /// The letters of options, with spaces between them.
    static func letters(_ places: some Sequence<Int>) -> String {
        places.map { String(letter($0)) }.joined(separator: " ")
    }

    /// The premises and options, each with its number or letter: the lines below a prompt.
    var choices: [(label: String, text: String)] {
        let premises = premises.enumerated().map { ("\($0 + 1)", $1) }
        return premises + options.enumerated().map { (String(Self.letter($0)), $1) }
    }

    /// The premises and options as lines of a test's text.
    var choiceLines: [String] { choices.map { "     \($0.label)  \($0.text)" } }

    /// Whether a single key answers the question.
    var isAnsweredByOneKey: Bool { if case .multipleChoice = form { true } else { false } }
}

extension PracticeQuestion {
    /// The right answer, as shown to the learner.
    var rightAnswer: String {
        switch key {
        case .multipleChoice(let key): "\(AskedQuestion.letter(key.correct))  \(key.options[key.correct])"
        case .multipleResponse, .ordering, .matching: "\(solution.typed)  (\(key.words))"
        case .fillInTheBlank, .calculation, .spoken: solution.typed
        }
    }
}

extension Verdict {
    /// The heading of the explanation.
    var word: String {
        switch self {
        case .right: "Right."
        case .wrong, .notAnAnswer: "Not right."
        case .partly: "Partly right. It does not count as right."
        case .nearMiss: "Almost: check the spelling. It does not count as right."
        }
    }
}
