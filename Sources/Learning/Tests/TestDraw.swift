import ExamCore
import Papers

/// A test drawn from packs, and the wishes that could not be met.
public struct DrawnTest: Equatable, Sendable {
    public var blueprint: TestBlueprint
    public var questions: [PracticeQuestion]
    /// The differences from the blueprint, one sentence each.
    public var shortfalls: [String]
}

extension DrawnTest {
    /// Fills a blueprint from a bank. The seed chooses among the questions that match a slot, and each question is used
    /// once. If no question matches, the cognitive level is ignored first, then the topic, then the difficulty.
    ///
    /// - Returns: nil if the bank has fewer five-choice questions than the request asks for.
    public init?(_ request: PracticeTestRequest, from bank: [PracticeQuestion]) {
        blueprint = TestBlueprint(request, bank: bank)
        var chance = SplitMix64(seed: request.seed)
        var used: Set<String> = []
        questions = []
        for slot in blueprint.slots {
            let rest = bank.filter { $0.isFiveChoice && !used.contains($0.id) }
            let wishes: [(PracticeQuestion) -> Bool] = [
                { slot.isMet(by: $0, bloom: true) }, { slot.isMet(by: $0, bloom: false) },
                { $0.difficulty == slot.difficulty }, { _ in true },
            ]
            guard let fitting = wishes.lazy.map({ rest.filter($0) }).first(where: { !$0.isEmpty }) else { return nil }
            let question = fitting[chance.below(fitting.count)]
            used.insert(question.id)
            questions.append(question)
        }
        questions = questions.inOrder(of: request.seed)
        shortfalls = Self.shortfalls(blueprint, questions)
    }

    /// Returns the differences from the blueprint, question by question, and then the planned cognitive levels that no
    /// question has.
    static func shortfalls(_ blueprint: TestBlueprint, _ questions: [PracticeQuestion]) -> [String] {
        let topicsAndDifficulties = zip(blueprint.slots, questions).enumerated().compactMap { number, pair in
            let (slot, question) = pair
            var differs: [String] = []
            if !Topic.isNamed(slot.topic, by: [question.topic]) {
                differs.append("about \(question.topic), not \(slot.topic)")
            }
            if question.difficulty != slot.difficulty {
                differs.append("\(question.difficulty.rawValue), not \(slot.difficulty.rawValue)")
            }
            return differs.isEmpty ? nil : "question \(number + 1): is \(differs.joined(separator: ", and "))."
        }
        let levels = Set(blueprint.slots.map(\.bloomLevel)).subtracting(questions.compactMap(\.bloom)).sorted()
        guard !questions.isEmpty, !levels.isEmpty else { return topicsAndDifficulties }
        return topicsAndDifficulties + [
            "no question asks the learner to \(levels.map(\.rawValue).orWords), as planned."
        ]
    }
}

extension PracticeTestRequest {
    /// Returns the place of the first wanted topic that a bank has no five-choice question on, and a sentence without a
    /// full stop that names it and the bank's topics. Nil if the bank has all.
    public func unknownTopic(in bank: [PracticeQuestion]) -> (place: Int, sentence: String)? {
        let known = Set(bank.filter(\.isFiveChoice).map(\.topic)).sorted()
        guard let place = topics.firstIndex(where: { !Topic.isNamed($0, by: known) }) else { return nil }
        let meant = known.nearest(to: topics[place]).map { "did you mean \($0)? Topics" } ?? "topics"
        return (
            place, "\(topics[place]): the bank has no questions on that; \(meant) are \(known.joined(separator: ", "))"
        )
    }
}

extension QuestionSlot {
    fileprivate func isMet(by question: PracticeQuestion, bloom: Bool) -> Bool {
        question.difficulty == difficulty && Topic.isNamed(topic, by: [question.topic])
            && (!bloom || question.bloom == bloomLevel)
    }
}

extension PracticeQuestion {
    var isFiveChoice: Bool { options.count == 5 }
}
