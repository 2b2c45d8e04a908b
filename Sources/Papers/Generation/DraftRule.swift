import ExamCore

/// A rule for a model's answer, in addition to the rules for every item (`ItemRule`).
package enum DraftRule: String, Choice {
    // Rules for the answer as a whole.
    case cut, declined, size, json, shape
    // Rules for its content.
    case plainLabel = "plain-label"
    case place, topic, difficulty, english, instructions, duplicate
    // Rules for a question with a key.
    case fiveOptions = "five-options"
    case keyAgrees = "key-agrees"
    case level

    /// The requirement in words, for a model that broke the rule.
    package var wish: String {
        switch self {
        case .cut: "the whole object, to its last bracket: shorten the texts if it does not fit"
        case .declined: "questions that anybody may be asked; nothing here is a reason to refuse"
        case .size: "an answer of 64 kB at most"
        case .json: "one JSON object and nothing else"
        case .shape: "all fields of the schema, each of its type"
        case .plainLabel: "a title and keywords of plain letters, digits and spaces"
        case .place: "an item of the section that is asked for"
        case .topic: "an item about the topic: a keyword that names it, and two questions with a keyword"
        case .difficulty: "an item of the difficulty that is asked for"
        case .english: "questions in English"
        case .instructions: "questions to a person, and no instructions to a program"
        case .duplicate: "no question that nearly is another one"
        case .fiveOptions: "exactly five options"
        case .keyAgrees: "correctAnswer is the option that correctIndex, 0 to 4, points at"
        case .level: "a question that asks of a mind what bloom says"
        }
    }

    /// Returns the wording of a rule for items or drafts by the rule's id.
    static func wish(ofItemRule rule: String) -> String {
        DraftRule(rawValue: rule)?.wish ?? ItemRule.all.first { $0.id == rule }?.wish ?? ""
    }

    package func finding(_ field: String, _ what: String) -> ItemFinding {
        ItemFinding(rule: rawValue, field: field, what: what)
    }
}

extension BankItem {
    /// Returns the faults of a draft, including texts that are nearly those of known items. Empty if the draft may be
    /// kept.
    public func findings(beside known: KnownItems) -> [ItemFinding] {
        findings + labelFindings + wordFindings + known.duplicates(of: self)
    }

    /// Returns the faults of a draft, including differences from the wish.
    func findings(as wish: ItemWish, beside known: KnownItems) -> [ItemFinding] {
        findings(beside: known) + wishFindings(wish)
    }

    private var labelFindings: [ItemFinding] {
        // The rule `plain-text` covers texts only, and titles and keywords are also shown on terminals.
        let isPlain = { (text: String) in
            text.unicodeScalars.allSatisfy {
                $0.isASCII && ($0.properties.isAlphabetic || " 0123456789'-,".unicodeScalars.contains($0))
            }
        }
        return [("title", [about.title]), ("keywords", about.keywords)].compactMap { field, texts in
            texts.allSatisfy(isPlain)
                ? nil : DraftRule.plainLabel.finding(field, "has characters that are not plain letters")
        }
    }

    private func wishFindings(_ wish: ItemWish) -> [ItemFinding] {
        var found: [ItemFinding] = []
        if let difficulty = wish.difficulty, about.difficulty != difficulty {
            found.append(
                DraftRule.difficulty.finding(
                    "difficulty", "is \(about.difficulty.rawValue), not \(difficulty.rawValue)"))
        }
        if !wish.isMeant(by: about.keywords) {
            found.append(DraftRule.topic.finding("keywords", "none of them names the topic"))
        }
        let asked = texts.filter { [.question, .cardTopic].contains($0.kind) }
        let onTopic = asked.count { text in
            text.text.bankWords.contains { word in about.keywords.contains { !$0.isEmpty && word.hasPrefix($0) } }
        }
        if onTopic < min(2, asked.count) {
            found.append(
                DraftRule.topic.finding("questions", "only \(onTopic) of them have a keyword; at least two should"))
        }
        return found
    }

    private var wordFindings: [ItemFinding] {
        let asked = texts.filter { $0.kind == .question || $0.kind == .cardTopic }
        return DraftWords.findings(
            in: texts.map { ($0.field, $0.text) }, mustBeEnglish: ("questions", asked.map(\.text)))
    }
}

/// Words that occur in a person's questions, and words that never do.
package enum DraftWords {
    /// Returns the faults in the words of a draft.
    ///
    /// - Parameter english: the texts that must be in English, long enough together to decide it, and the name of their
    ///   field.
    package static func findings(
        in texts: [(field: String, text: String)], mustBeEnglish english: (field: String, texts: [String])
    ) -> [ItemFinding] {
        let words = english.texts.flatMap(\.bankWords)
        let share = Double(words.count(where: common.contains)) / Double(max(1, words.count))
        var found = texts.compactMap { field, text in
            commands.first(in: text).map {
                DraftRule.instructions.finding(field, "\"\($0)\" addresses a program")
            }
        }
        if share < leastCommon { found.append(DraftRule.english.finding(english.field, "are not in English")) }
        return found
    }

    /// In every item of the bank, at least 0.43 of the words are common ones.
    private static let leastCommon = 0.3

    private static let common: Set<String> = [
        "a", "an", "the", "and", "or", "but", "of", "in", "on", "at", "to", "for", "from", "with", "by", "about", "as",
        "than", "that", "this", "it", "is", "are", "was", "were", "be", "do", "does", "did", "has", "would", "could",
        "should", "can", "what", "when", "where", "who", "which", "how", "why", "you", "your", "they", "their", "them",
        "people", "there", "more", "most", "some", "if", "not", "have",
    ]

    private static let commands = WordList(
        """
        ignore all, ignore previous, previous instructions, disregard all, disregard previous, system prompt, language model, as an ai, json, \
        jailbreak
        """)
}
