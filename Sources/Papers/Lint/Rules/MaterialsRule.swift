import ExamCore

extension ItemRule {
    /// Finds missing, superfluous and unsuitable materials for a task.
    static let materials = ItemRule(
        id: "materials",
        wish:
            "what the place needs and no more: a passage to be heard, a picture with its description, two alternatives"
    ) { item in
        guard case .frame(let frame) = item else { return [] }
        let kind = frame.kind
        var found: [(String, String)] = []
        func expect(_ field: String, _ isThere: Bool, _ isWanted: Bool) {
            if isThere != isWanted {
                found.append((field, isWanted ? "is missing" : "does not belong in this section"))
            }
        }
        expect("passage", frame.passage != nil, kind.passage != nil)
        expect("picture", frame.picture != nil, kind.hasPicture)
        if let words = frame.passage?.bankWords.count, let wanted = kind.passage, !wanted.contains(words) {
            found.append(
                ("passage", "has \(words) words; \(wanted.lowerBound) to \(wanted.upperBound) are needed here"))
        }
        if let picture = frame.picture { found += picture.flaws.map { ("picture", $0) } }
        for (number, question) in frame.questions.enumerated() {
            let field = "questions[\(number)].alternatives"
            expect(field, question.alternatives != nil, kind.hasAlternatives)
            if let alternatives = question.alternatives, alternatives.count != 2 {
                found.append((field, "there are \(alternatives.count); there should be two"))
            }
        }
        if frame.about.language != kind.language {
            found.append(("language", "should be \(kind.language ?? "absent: the section is in English")"))
        }
        return found
    }
}

extension Paper.Picture {
    /// The flaws of a picture. A bank's picture must be small, and an SVG must only draw: it loads nothing and runs
    /// nothing.
    fileprivate var flaws: [String] {
        var found: [String] = []
        if (svg == nil) == (png == nil) { found.append("should be one of svg and png") }
        if (svg ?? png ?? "").utf8.count > Self.largest { found.append("is larger than 60 kB") }
        if description.bankWords.count < 10 { found.append("needs a description of at least ten words") }
        guard let svg else { return found }
        if !svg.hasPrefix("<svg") || !svg.hasSuffix("</svg>") {
            found.append("should begin with <svg and end with </svg>")
        }
        let small = svg.lowercased()
        if let odd = Self.unwanted.first(where: small.contains) {
            found.append("has \(odd), which is not allowed in a drawing")
        }
        return found
    }

    private static let largest = 60_000
    private static let unwanted = [
        "<script", "<foreignobject", "<image", "<use", "<style", "<animate", "href", "url(", "onload", "onclick", "<!",
    ]
}
