import ArgumentParser
import Assessors
import HTTPClient
import Learning
import Study
import SystemSupport
import TextModels

/// The options for a plan that a model writes.
struct PlanModelArguments: ParsableArguments {
    @OptionGroup var source: ModelArguments

    var isUsed: Bool { source.from != .bank }

    func validate() throws {
        if source.resume { throw ValidationError("--resume is not for plans: they are written in one go.") }
    }

    /// Asks the model, shows what would change, and stores the plan if the user agrees.
    func write(_ book: PlanBook, _ knowledge: PlanKnowledge, to own: OwnPlan, yes: Bool) async throws {
        let entry = try source.entry()
        let model = try entry.textModel(client: UploadsHome.client(), in: currentFolder())
        try source.obtainConsent(
            for: entry, sending: "Your days and minutes, and figures of your last exam and practice,")
        let next = book.next(knowledge)
        let outcome: PlanWriting.Outcome
        do throws(ServiceFailure) {
            outcome = try await PlanWriting(model).plan(
                for: book.profile, knowledge.evidence, week: next.week, version: next.version)
        } catch {
            throw Problem(.unavailable, "\(error.sentence); without --from, the plan is made by rules")
        }
        for why in outcome.refusals { complain("note: rejected: \(why)") }
        for repair in outcome.repairs { complain("note: corrected: \(repair.place) \(repair.sentence)") }
        if outcome.plan == nil {
            complain("note: the model's plans broke the rules, so this plan was made by the rules alone")
        }
        let plan = outcome.plan ?? book.anew(knowledge).plan
        try await OwnPlan.offer(plan, PlanPreview(from: book.history.current, to: plan), yes: yes) {
            _ = try await own.planning.take(plan)
        }
    }
}
