public import Papers

/// One flaw that a question with a key may have. Each rule has its file in `Rules`. The same rules apply to people's
/// questions and to a model's.
///
/// The rules are the bank's own, and those of the 19 known item-writing flaws that a program can detect (arXiv
/// 2307.08161).
public struct QuestionRule: Sendable {
    /// Small letters and `-`. Findings, repairs and statistics use it.
    public let id: String
    /// The requirement in words, for a model that broke the rule.
    public let wish: String
    private let find: @Sendable (PracticeQuestion) -> [(field: String, what: String)]

    init(id: String, wish: String, find: @escaping @Sendable (PracticeQuestion) -> [(field: String, what: String)]) {
        self.id = id
        self.wish = wish
        self.find = find
    }

    /// Creates a rule that checks each text separately.
    init(id: String, wish: String, of text: @escaping @Sendable (String) -> String?) {
        self.init(id: id, wish: wish) { question in
            question.texts.compactMap { field, own in text(own).map { (field, $0) } }
        }
    }

    /// Creates a rule for the options and the index of the right one.
    init(
        id: String, wish: String,
        ofOptions find:
            @escaping @Sendable (PracticeQuestion, [String], _ correct: Int) -> [(field: String, what: String)]
    ) {
        self.init(id: id, wish: wish) { question in
            guard case .multipleChoice(let key) = question.key, key.options.indices.contains(key.correct) else {
                return []
            }
            return find(question, key.options, key.correct)
        }
    }

    public func findings(in question: PracticeQuestion) -> [ItemFinding] {
        find(question).map { ItemFinding(rule: id, field: $0.field, what: $0.what) }
    }

    /// All rules, in the order in which findings are reported.
    public static let all: [QuestionRule] = [
        label, plainText, length, stem, negative, options, keyLength, otherOptions, absolute, vague, echo, article,
        position,
        painful, timely,
    ]
}

extension PracticeQuestion {
    /// The findings of all rules for this question alone.
    public var findings: [ItemFinding] { QuestionRule.all.flatMap { $0.findings(in: self) } }

    /// All texts of the question, with their fields.
    var texts: [(field: String, text: String)] {
        [("prompt", prompt)] + asked.premises.enumerated().map { ("premises[\($0)]", $1) }
            + asked.options.enumerated().map { ("options[\($0)]", $1) } + [("explanation", explanation)]
    }

    /// The options of a choice of one.
    var options: [String] { if case .multipleChoice(let key) = key { key.options } else { [] } }
}

extension QuestionPack {
    /// The findings for each question alone, and for prompts that are nearly those of another question.
    public var findings: [(id: String, finding: ItemFinding)] { findings(beside: []) }

    /// Returns the findings, including prompts that are nearly those of questions in other packs.
    public func findings(beside others: [PracticeQuestion]) -> [(id: String, finding: ItemFinding)] {
        var known = KnownQuestions(others)
        return questions.flatMap { question in
            let found = question.findings + known.duplicates(of: question)
            known.add(question)
            return found.map { (question.id, $0) }
        }
    }
}
