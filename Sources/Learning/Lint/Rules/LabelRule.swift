extension QuestionRule {
    /// Finds invalid ids and topics. Lists, files and links use them as names.
    static let label = QuestionRule(
        id: "label", wish: "an id of small letters, digits and -, and a topic of one to four plain words"
    ) { question in
        var found: [(field: String, what: String)] = []
        let isID = question.id.unicodeScalars.allSatisfy {
            "abcdefghijklmnopqrstuvwxyz0123456789-".unicodeScalars.contains($0)
        }
        if question.id.isEmpty || !isID || question.id.count > longestID { found.append(("id", "is not such an id")) }
        if !isTopic(question.topic) { found.append(("topic", "is not one to four plain words")) }
        return found
    }

    static let longestID = 60
    static let longestTopic = 4

    /// Returns whether a text is a topic: one to four words of letters of any script, digits, hyphens and apostrophes.
    static func isTopic(_ topic: String) -> Bool {
        (1...longestTopic).contains(topic.split(separator: " ").count)
            && topic.unicodeScalars.allSatisfy {
                $0.properties.isAlphabetic || " 0123456789-'".unicodeScalars.contains($0)
                    || [.nonspacingMark, .spacingMark].contains($0.properties.generalCategory)
            }
    }
}
