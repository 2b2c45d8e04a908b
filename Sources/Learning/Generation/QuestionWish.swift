import ExamCore
public import Papers

/// A five-choice question that a model is asked to write, for one slot of a test.
public struct QuestionWish: Equatable, Sendable {
    public var slot: QuestionSlot

    public init(slot: QuestionSlot) { self.slot = slot }
}

extension QuestionWish: GenerationWish {
    public func prompt(
        beside known: KnownQuestions, repairing faults: [ItemFinding], earlier: String?
    ) -> GenerationPrompt {
        QuestionPrompt.of(self, beside: known, repairing: faults, earlier: earlier)
    }

    public func read(
        _ text: String, writtenBy: String, beside known: KnownQuestions
    ) -> Result<PracticeQuestion, DraftFault> {
        DraftJSON.decode(QuestionDraft.self, from: text).flatMap {
            $0.question(slot, writtenBy: writtenBy, isTaken: known.has)
        }
    }

    public func findings(of question: PracticeQuestion, beside known: KnownQuestions) -> [ItemFinding] {
        question.findings + slotFindings(question)
            + DraftWords.findings(
                in: question.texts, mustBeEnglish: ("prompt", [question.prompt, question.explanation]))
            + known.duplicates(of: question)
    }

    /// Returns questions with the slot's topic and difficulty. If there are none, returns those on its topic, then those
    /// with its difficulty, or else all questions. A bank that is not empty therefore always offers one.
    public func standIns(in known: KnownQuestions, without used: Set<String>) -> [String] {
        let bank = known.bank.filter { $0.isFiveChoice && !used.contains($0.id) }
        let asHard = bank.filter { $0.difficulty == slot.difficulty }
        let onTopic = bank.filter { Topic.isNamed(slot.topic, by: [$0.topic]) }
        return [onTopic.filter { $0.difficulty == slot.difficulty }, onTopic, asHard, bank].first { !$0.isEmpty }?.map(
            \.id) ?? []
    }

    private func slotFindings(_ question: PracticeQuestion) -> [ItemFinding] {
        var found: [ItemFinding] = []
        if question.difficulty != slot.difficulty {
            found.append(
                DraftRule.difficulty.finding(
                    "difficulty", "is \(question.difficulty.rawValue), not \(slot.difficulty.rawValue)"))
        }
        if question.bloom != slot.bloomLevel {
            found.append(
                DraftRule.level.finding(
                    "bloom", "is \(question.bloom?.rawValue ?? "missing"), not \(slot.bloomLevel.rawValue)"))
        }
        let words = question.prompt.split(separator: " ").count
        if words > slot.maxPromptWords {
            found.append(
                ItemFinding(
                    rule: QuestionRule.length.id, field: "prompt",
                    what: "has \(words) words; at most \(slot.maxPromptWords) are allowed"))
        }
        if !Topic.isNamed(slot.topic, by: question.texts.flatMap { $0.text.bankWords }) {
            found.append(DraftRule.topic.finding("prompt", "no word of the question names the topic"))
        }
        return found
    }
}

/// A model's reply in the requested form. Other fields are ignored.
private struct QuestionDraft: Decodable {
    var prompt: String
    var choices: [String]
    var correctAnswer: String
    var correctIndex: Int
    var rationale: String
    var difficulty: Paper.Difficulty
    var bloom: Bloom

    func question(
        _ slot: QuestionSlot, writtenBy: String, isTaken: (String) -> Bool
    ) -> Result<PracticeQuestion, DraftFault> {
        guard choices.count == 5 else {
            return .failure(.fiveOptions, "choices", "there are \(choices.count)")
        }
        guard choices.indices.contains(correctIndex) else {
            return .failure(.keyAgrees, "correctIndex", "is \(correctIndex), which is not the index of an option")
        }
        guard choices[correctIndex] == correctAnswer else {
            return .failure(.keyAgrees, "correctAnswer", "is not the option that correctIndex points at")
        }
        return .success(
            PracticeQuestion(
                id: DraftID.free(for: slot.topic, isTaken: isTaken), topic: slot.topic, difficulty: difficulty,
                bloom: bloom, prompt: prompt,
                key: .multipleChoice(.init(options: choices, correct: correctIndex)), explanation: rationale,
                writtenBy: writtenBy))
    }
}
