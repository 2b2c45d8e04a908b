import ExamCore
import Papers

/// A test that was drawn from packs, and what had to be given up for it.
public struct DrawnTest: Equatable, Sendable {
    public var blueprint: TestBlueprint
    public var questions: [PracticeQuestion]
    /// What the packs could not give, a sentence each (P12).
    public var shortfalls: [String]
}

extension DrawnTest {
    /// Fills a blueprint from a bank: by chance of the seed among those that are as a slot asks, each question once. Where there is none, what
    /// it asks of a mind is given up first, then the topic, then the difficulty.
    ///
    /// - Returns: nil where the bank has fewer five-choice questions than are wanted.
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

    /// Whatever is not as it was wanted, question by question.
    static func shortfalls(_ blueprint: TestBlueprint, _ questions: [PracticeQuestion]) -> [String] {
        zip(blueprint.slots, questions).enumerated().compactMap { number, pair in
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
