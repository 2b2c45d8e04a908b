extension QuestionRule {
    /// Finds repeated options, and too few or too many of them.
    static let options = QuestionRule(id: "options", wish: "2 to 9 options, no two of them the same in other signs") {
        question, options, _ in
        var found: [(field: String, what: String)] = []
        if !(2...9).contains(options.count) { found.append(("options", "there are \(options.count)")) }
        // Options may differ in punctuation alone, if the question is about punctuation, but not in spaces alone. Words
        // may differ in case alone (march and March), sentences may not.
        let plain = options.map { option in
            let words = option.split(separator: " ")
            let text = words.joined(separator: " ")
            return words.count > 3 ? text.lowercased() : text
        }
        for (place, text) in plain.enumerated() {
            if let first = plain.firstIndex(of: text), first < place {
                found.append(("options[\(place)]", "is the same as options[\(first)]"))
            }
        }
        return found
    }
}
