import Papers

extension QuestionRule {
    /// Finds painful or divisive subjects, which do not belong in language practice.
    static let painful = QuestionRule(
        id: "sensitive", wish: "nothing about religion, politics, illness, death, crime, weapons, drugs or sex"
    ) { text in WordList.painful.first(in: text).map { "\"\($0)\" is a sensitive subject" } }
}
