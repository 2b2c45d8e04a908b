extension QuestionRule {
    /// Finds repeated options, and too few or too many of them.
    static let options = QuestionRule(id: "options", wish: "2 to 9 options, no two of them the same in other signs") {
        question, options, _ in
        var found: [(field: String, what: String)] = []
        if !(2...9).contains(options.count) { found.append(("options", "there are \(options.count)")) }
        // Options may differ in punctuation alone, if that is the question, but not in case or spaces alone.
        let plain = options.map { $0.lowercased().split(separator: " ").joined(separator: " ") }
        for (place, text) in plain.enumerated() {
            if let first = plain.firstIndex(of: text), first < place {
                found.append(("options[\(place)]", "is the same as options[\(first)]"))
            }
        }
        return found
    }
}
