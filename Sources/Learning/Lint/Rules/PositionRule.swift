import Papers

extension QuestionRule {
    /// Finds explanations that name an option's place. Each test shuffles the options, which would make them wrong.
    static let position = QuestionRule(
        id: "position", wish: "an explanation that names no letter, number or place of an option"
    ) { question in
        guard !question.asked.options.isEmpty else { return [] }
        return words.first(in: question.explanation).map { [("explanation", "\"\($0)\" names a place")] } ?? []
    }

    private static let words: WordList = {
        let places = "a b c d e 1 2 3 4 5 one two three four five".split(separator: " ")
        let named = ["option", "choice", "answer"].flatMap { word in places.map { "\(word) \($0)" } }
        let ordinal = ["first", "second", "third", "fourth", "fifth", "last", "middle"].flatMap { place in
            ["option", "choice", "answer", "one"].map { "the \(place) \($0)" }
        }
        return WordList((named + ordinal).joined(separator: ", "))
    }()
}
