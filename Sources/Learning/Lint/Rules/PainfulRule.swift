import Papers

extension QuestionRule {
    /// What hurts or divides has no place in practice of a language.
    static let painful = QuestionRule(
        id: "sensitive", wish: "nothing about religion, politics, illness, death, crime, weapons, drugs or sex"
    ) { text in WordList.painful.first(in: text).map { "\"\($0)\" is a sensitive subject" } }
}
