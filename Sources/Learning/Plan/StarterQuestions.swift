public import ExamCore
import Papers
public import SystemSupport

/// Questions to begin with, as the generator of papers draws them from the built-in bank.
public enum StarterQuestions {
    /// - Parameters:
    ///   - format: the file of the kind of exam: `ielts-style` or `interview`.
    ///   - seed: the same one draws the same questions.
    /// - Throws: `Problem.missing` where the bank has nothing for the format.
    public static func drawn(for format: ExamFormat, seed: UInt64) throws(Problem) -> [String] {
        do throws(DrawFailure) {
            let request = PaperRequest(format: format.id, seed: seed)
            let paper = try ItemBank.builtIn.draw(request, for: format, seen: []).paper
            // In the order in which the exam asks them; what belongs to a card makes no sense without it.
            let sections = format.parts.flatMap(\.items).compactMap(\.section)
            let order = sections.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
            let questions: [Paper.Question] = order.flatMap { paper.sections[$0] ?? [] }.flatMap(\.questions)
            return questions.filter { $0.card == nil }.map(\.text)
        } catch {
            throw Problem(.missing, error.sentence)
        }
    }
}
