public import Papers

/// The questions that already exist, so that a model does not write one twice.
public struct KnownQuestions: KnownPieces {
    /// The questions that stand in when a model writes nothing usable.
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

    /// Returns a finding if prompt and right answer together are nearly those of a known question. The prompt alone
    /// does not suffice: "What does this mean?" fits many questions.
    func duplicates(of question: PracticeQuestion) -> [ItemFinding] {
        let own = Self.words(question)
        return prompts.first { TextLikeness.isDuplicate($0.words, own) }.map {
            [DraftRule.duplicate.finding("prompt", "is nearly \($0.id)'s")]
        } ?? []
    }

    /// Returns the latest prompts on a topic, at most as many as fit into a prompt to a model.
    func prompts(on topic: String) -> [String] {
        Array(bank.filter { $0.topic == topic }.map(\.prompt).suffix(30))
    }

    static func words(_ question: PracticeQuestion) -> [String] {
        switch question.key {
        case .multipleChoice(let key):
            return question.prompt.bankWords
                + (key.options.indices.contains(key.correct) ? key.options[key.correct].bankWords : [])
        // Many such questions have the same prompt: "Match each word with its meaning."
        case .multipleResponse, .ordering, .matching:
            let asked = question.asked
            return question.prompt.bankWords + (asked.premises + asked.options).flatMap(\.bankWords)
        case .fillInTheBlank, .calculation, .spoken: return question.prompt.bankWords
        }
    }
}
