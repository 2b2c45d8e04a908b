public import ExamCore
import Papers
public import SystemSupport

/// Questions to begin with, which the paper generator draws from the built-in bank.
public enum StarterQuestions {
    /// Draws questions for a kind of exam.
    ///
    /// - Parameters:
    ///   - format: the kind of exam: `ielts-style` or `interview`.
    ///   - role: the job that the learner wants. An interview asks about its field if the bank knows it.
    ///   - seed: the same seed draws the same questions.
    /// - Throws: `Problem.missing` if the bank has nothing for the format.
    public static func drawn(for format: ExamFormat, role: String, seed: UInt64) throws(Problem) -> [String] {
        do throws(DrawFailure) {
            let fields = ItemBank.builtIn.items(for: role, in: "technical")
            let request = PaperRequest(format: format.id, topics: fields, seed: seed)
            let paper = try ItemBank.builtIn.draw(request, for: format, seen: []).paper
            // The order is that of the exam. Questions that belong to a card are left out because they make no sense
            // without it.
            let sections = format.parts.flatMap(\.items).compactMap(\.section)
            let order = sections.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
            let questions: [Paper.Question] = order.flatMap { paper.sections[$0] ?? [] }.flatMap(\.questions)
            return questions.filter { $0.card == nil }.map(\.text)
        } catch {
            throw Problem(.missing, error.sentence)
        }
    }
}
