extension QuestionRule {
    /// Finds invalid ids and topics. Lists, files and links use them as names.
    static let label = QuestionRule(
        id: "label", wish: "an id of small letters, digits and -, and a topic of one to four plain words"
    ) { question in
        var found: [(field: String, what: String)] = []
        let isID = question.id.unicodeScalars.allSatisfy {
            "abcdefghijklmnopqrstuvwxyz0123456789-".unicodeScalars.contains($0)
        }
        if question.id.isEmpty || !isID || question.id.count > 60 { found.append(("id", "is not such an id")) }
        let words = question.topic.split(separator: " ")
        let isPlain = question.topic.unicodeScalars.allSatisfy {
            $0.isASCII && ($0.properties.isAlphabetic || " 0123456789-'".unicodeScalars.contains($0))
        }
        if !(1...4).contains(words.count) || !isPlain { found.append(("topic", "is not one to four plain words")) }
        return found
    }
}
