import ArgumentParser
import Assessors
import ExamKit
import HTTPClient
import Learning
import SystemSupport
import TextModels

/// The options for a plan that a model writes.
struct PlanModelArguments: ParsableArguments {
    @OptionGroup var source: ModelArguments

    var isUsed: Bool { source.from != .bank }

    func validate() throws {
        if source.resume { throw ValidationError("A plan is written at once: there is nothing to --resume.") }
    }

    /// Asks the model, shows what would change, and stores the plan if the user agrees.
    func write(_ book: PlanBook, _ knowledge: PlanKnowledge, yes: Bool) async throws {
        let entry = try source.entry()
        let model = try entry.textModel(client: UploadsHome.client(), in: currentFolder())
        try source.obtainConsent(
            for: entry, sending: "Your days and minutes, and figures of your last exam and of your practice,")
        let next = book.next(knowledge)
        let outcome: PlanWriting.Outcome
        do throws(ServiceFailure) {
            outcome = try await PlanWriting(model).plan(
                for: book.profile, knowledge.evidence, week: next.week, version: next.version)
        } catch {
            throw Problem(.unavailable, "\(error.sentence); without --from the rules make the plan")
        }
        for why in outcome.refusals { complain("note: refused: \(why)") }
        for repair in outcome.repairs { complain("note: mended: \(repair.place) \(repair.sentence)") }
        if outcome.plan == nil {
            complain("note: the model wrote no plan that keeps the rules: this one is the rules' own")
        }
        let plan = outcome.plan ?? book.anew(knowledge).plan
        try PlanHome.offer(plan, PlanPreview(from: book.history.current, to: plan), in: book, yes: yes) {
            (book) throws(Problem) in try book.take(plan)
        }
    }
}
