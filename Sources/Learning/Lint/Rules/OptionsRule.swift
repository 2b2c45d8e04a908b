import Papers

extension QuestionRule {
    /// Each option is another one.
    static let options = QuestionRule(id: "options", wish: "2 to 9 options, no two of them the same in other signs") {
        question, options, _ in
        var found: [(field: String, what: String)] = []
        if !(2...9).contains(options.count) { found.append(("options", "there are \(options.count)")) }
        // Punctuation may be what is asked; case and spaces are not.
        let plain = options.map { $0.lowercased().split(separator: " ").joined(separator: " ") }
        for (place, text) in plain.enumerated() {
            if let first = plain.firstIndex(of: text), first < place {
                found.append(("options[\(place)]", "is options[\(first)] again"))
            }
        }
        return found
    }
}
