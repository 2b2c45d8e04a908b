public import Papers

/// Questions that stand already, so that none is written twice.
public struct KnownQuestions: KnownPieces {
    /// What stands in where a model wrote nothing of use.
    public let bank: [PracticeQuestion]
    private var ids: Set<String> = []
    private var prompts: [(id: String, words: [String])] = []

    public init(_ bank: [PracticeQuestion]) {
        self.bank = bank
        for question in bank { add(question) }
    }

    public func has(_ id: String) -> Bool { ids.contains(id) }

    public mutating func add(_ question: PracticeQuestion) {
        ids.insert(question.id)
        prompts.append((question.id, Self.words(question)))
    }

    public subscript(id: String) -> PracticeQuestion? { bank.first { $0.id == id } }

    /// A prompt, with its right answer, that is nearly one that is known (P9): "What does this mean?" alone asks for many things.
    func duplicates(of question: PracticeQuestion) -> [ItemFinding] {
        let own = Self.words(question)
        return prompts.first { TextLikeness.isDuplicate($0.words, own) }.map {
            [DraftRule.duplicate.finding("prompt", "is nearly \($0.id)'s")]
        } ?? []
    }

    /// The last prompts on a topic: as many as a question to a model has room for.
    func prompts(on topic: String) -> [String] {
        Array(bank.filter { $0.topic == topic }.map(\.prompt).suffix(30))
    }

    static func words(_ question: PracticeQuestion) -> [String] {
        guard case .multipleChoice(let key) = question.key, key.options.indices.contains(key.correct) else {
            return question.prompt.bankWords
        }
        return question.prompt.bankWords + key.options[key.correct].bankWords
    }
}
