extension ItemRule {
    /// Finds questions about the test itself, and names of tests, which belong to their publishers.
    static let testNames = ItemRule(id: "test-names", wish: "nothing about the test itself") { text in
        words.first(in: text.text).map { "\"\($0)\" is about the test" }
    }

    private static let words = WordList("ielts, toefl, pte, celpip, aptis, examiner, candidate, exam, exams")
}
