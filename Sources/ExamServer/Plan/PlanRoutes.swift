import Assessment
import ExamKit
import ExamNode
import ExamStore
import Foundation
import HTTPTypes
import Hummingbird
import Learning
import ServerWork
import Study
import SystemSupport

/// Routes for a learner's own plan: profile, week, ticks, a new plan, a new section, and the calendar.
struct PlanRoutes: Sendable {
    let services: Services
    let desk: PracticeDesk
    let exams: LiveExams

    func add(to routes: some RouterMethods<ServerContext>) {
        routes.get("v1/plan", use: plan)
        routes.put("v1/plan/profile", use: putProfile)
        routes.post("v1/plan/preview", use: preview)
        routes.post("v1/plan", use: accept)
        routes.post("v1/plan/reroll", use: reroll)
        routes.post("v1/plan/undo", use: undo)
        routes.get("v1/plan/prep", use: prep)
        routes.get("v1/plan/calendar", use: calendar)
        routes.get("v1/plan/export", use: export)
        routes.delete("v1/plan", use: erase)
        routes.post("v1/plan/reviewed", use: reviewed)
    }

    @Sendable private func plan(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        let planning = desk.planning(of: try context.requireUser())
        let facts = try await planning.facts(at: request.moment(services))
        return try await told(planning.book(), facts, by: planning)
    }

    private func told(_ book: PlanBook?, _ facts: PlanFacts, by planning: Planning) async throws -> Answer<ToldPlan> {
        Answer(ToldPlan(book, facts, try await planning.steps(after: facts).map(\.advice)))
    }

    @Sendable private func putProfile(
        _ request: Request, _ context: ServerContext
    ) async throws -> some ResponseGenerator {
        let planning = desk.planning(of: try context.requireUser())
        let moment = try request.moment(services)
        let (book, facts) = try await planning.use(request.profile(context), at: moment)
        return try await told(book, facts, by: planning)
    }

    // MARK: - A new plan

    private struct Which: Decodable {
        /// Whether to make a new plan even if nothing was missed.
        var anew: Bool?
    }

    private struct Accepted: Decodable {
        /// The version of the plan that the learner saw.
        var version: Int
        /// The value of `anew` in the request for the preview that the learner saw.
        var anew: Bool
    }

    @Sendable private func preview(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator
    {
        let planning = desk.planning(of: try context.requireUser())
        let facts = try await planning.facts(at: request.moment(services))
        let isAnew = try await request.json(Which.self, context).anew == true
        return Answer(ToldPreview(try await planning.neededBook().proposal(anew: isAnew, facts.knowledge)))
    }

    @Sendable private func accept(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        let planning = desk.planning(of: try context.requireUser())
        let facts = try await planning.facts(at: request.moment(services))
        let accepted = try await request.json(Accepted.self, context)
        let book = try await planning.accept(version: accepted.version, anew: accepted.anew, facts)
        return try await told(book, facts, by: planning)
    }

    @Sendable private func reroll(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        struct Wanted: Decodable { var section: StudyPlan.Section }
        let planning = desk.planning(of: try context.requireUser())
        let facts = try await planning.facts(at: request.moment(services))
        let section = try await request.json(Wanted.self, context).section
        return try await told(planning.reroll(section, facts), facts, by: planning)
    }

    @Sendable private func undo(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        let planning = desk.planning(of: try context.requireUser())
        let facts = try await planning.facts(at: request.moment(services))
        return try await told(planning.undo(facts).book, facts, by: planning)
    }

    // MARK: - Exports

    @Sendable private func prep(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        let planning = desk.planning(of: try context.requireUser())
        let knowledge = try await planning.facts(at: request.moment(services)).knowledge
        let book = try await planning.neededBook()
        return Answer(
            try PrepPack.made(
                for: book.profile, of: book.plan(knowledge), knowledge,
                format: .builtIn(book.profile.examFormat)))
    }

    @Sendable private func calendar(_ request: Request, _ context: ServerContext) async throws -> Response {
        let book = try await desk.planning(of: try context.requireUser()).neededBook()
        guard let text = PlanCalendar.text(of: book.history) else { throw PlanRefusal.noProfile }
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/calendar; charset=utf-8", .cacheControl: "no-store",
                .contentDisposition: "attachment; filename=\"oracy-plan.ics\"",
            ], body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    @Sendable private func export(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        struct Export: Encodable, Sendable {
            var profile: LearnerProfile
            var history: PlanHistory
        }
        let book = try await desk.planning(of: try context.requireUser()).neededBook()
        return Answer(
            Export(profile: book.profile, history: book.history), headers: [.cacheControl: "no-store"])
    }

    @Sendable private func erase(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        try await services.owned(by: try context.requireUser()).erasePlanBook()
        return HTTPResponse.Status.noContent
    }

    /// Records that the learner looked at the result of an exam.
    @Sendable private func reviewed(
        _ request: Request, _ context: ServerContext
    ) async throws -> some ResponseGenerator {
        struct Seen: Decodable { var session: UUID }
        let user = try context.requireUser()
        let moment = try request.moment(services)
        let session = try await request.json(Seen.self, context).session
        let owned = services.owned(by: user)
        guard let row = try await owned.session(session) else { throw APIProblem.missing("session") }
        let exam = try await StoredExam(row, of: owned, in: services.store.service)
        let drill = try await exam.heldDrill(of: owned, in: exams)
        // A drill is looked at when its result is complete.
        guard drill != nil || SpokenDrill(paper: row.paper) == nil else { return HTTPResponse.Status.noContent }
        try await desk.review(session, drill, of: user, at: moment)
        return HTTPResponse.Status.noContent
    }
}

extension Request {
    /// Reads a profile.
    ///
    /// - Throws: `APIProblem` 400 with the wrong field.
    func profile(_ context: ServerContext) async throws -> LearnerProfile {
        let profile = try await json(LearnerProfile.self, context)
        if let fault = profile.fault { throw APIProblem.malformed("\(fault).") }
        return profile
    }
}

extension APIProblem {
    /// Converts the reason why a plan was not changed.
    init(_ refusal: PlanRefusal) {
        switch refusal {
        case .noProfile:
            self.init(.notFound, "no-profile", "No profile", "Say who you are first: PUT /v1/plan/profile.")
        case .noPlan:
            self.init(.conflict, "no-plan", "No plan", "This week has no plan yet: POST /v1/plan/preview shows one.")
        case .changed:
            self.init(
                .conflict, "plan-changed", "The plan has changed",
                "The plan has changed since you looked at it. Fetch it again.")
        case .nothingToUndo:
            self.init(.conflict, "nothing-to-undo", "Nothing to undo", "This week's plan was not changed yet.")
        case .busy: self = .busy
        }
    }
}
