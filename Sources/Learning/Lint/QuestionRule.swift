import ExamCore
public import Papers

/// One flaw that a question with a key may have; a file each in `Rules`. People's questions and a model's are held to the same rules.
///
/// They are those of the 19 flaws of items that a machine can see (arXiv 2307.08161), and the bank's own.
public struct QuestionRule: Sendable {
    /// Small letters and `-`: findings, repairs and statistics name it.
    public let id: String
    /// What the rule asks for: a model that broke it is told this.
    public let wish: String
    private let find: @Sendable (PracticeQuestion) -> [(field: String, what: String)]

    init(id: String, wish: String, find: @escaping @Sendable (PracticeQuestion) -> [(field: String, what: String)]) {
        self.id = id
        self.wish = wish
        self.find = find
    }

    /// A rule about each text by itself.
    init(id: String, wish: String, of text: @escaping @Sendable (String) -> String?) {
        self.init(id: id, wish: wish) { question in
            question.texts.compactMap { field, own in text(own).map { (field, $0) } }
        }
    }

    /// A rule about options, and which is right.
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

    /// All of them, in the order in which they are told.
    public static let all: [QuestionRule] = [
        label, plainText, length, stem, negative, options, keyLength, otherOptions, absolute, vague, echo, article,
        position,
        painful, timely,
    ]
}

extension PracticeQuestion {
    /// What is wrong with it by itself, by all rules.
    public var findings: [ItemFinding] { QuestionRule.all.flatMap { $0.findings(in: self) } }

    /// All that is read of it, with its place.
    var texts: [(field: String, text: String)] {
        [("prompt", prompt)] + options.enumerated().map { ("options[\($0)]", $1) } + [("explanation", explanation)]
    }

    var options: [String] { if case .multipleChoice(let key) = key { key.options } else { [] } }
}

extension QuestionPack {
    /// What is wrong in it, by question: each by itself, and prompts that are nearly another one's (line 18).
    public var findings: [(id: String, finding: ItemFinding)] { findings(beside: []) }

    /// The same, beside questions of other packs.
    public func findings(beside others: [PracticeQuestion]) -> [(id: String, finding: ItemFinding)] {
        var known = KnownQuestions(others)
        return questions.flatMap { question in
            let found = question.findings + known.duplicates(of: question)
            known.add(question)
            return found.map { (question.id, $0) }
        }
    }
}
