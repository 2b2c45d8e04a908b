import ExamKit
import ExamNode
import ExamStore
import Foundation
import HTTPTypes
import Hummingbird
import Learning
import Study
import SystemSupport

/// Routes for a learner's own plan: profile, week, ticks, a new plan, a new section, and the calendar.
struct PlanRoutes: Sendable {
    let learner: LearnerPlan
    let exams: LiveExams
    private var services: Services { learner.services }

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
        let user = try context.requireUser()
        let known = try await learner.known(of: user, at: request.moment(services))
        return Answer(try await learner.told(learner.book(of: user), known, to: user))
    }

    @Sendable private func putProfile(
        _ request: Request, _ context: ServerContext
    ) async throws -> some ResponseGenerator {
        let user = try context.requireUser()
        let moment = try request.moment(services)
        let profile = try await request.profile(context)
        let known = try await learner.known(of: user, at: moment)
        let book = try await learner.change(of: user) { old in
            var book = old ?? PlanBook(profile)
            book.profile = profile
            if old == nil, let first = book.proposal(known.knowledge) { try book.accept(first) }
            return book
        }
        // Days that are not available also count as rest days for practice.
        try await learner.desk.take(of: user, at: moment) { $0.rest(by: profile) }
        return Answer(try await learner.told(book, known, to: user))
    }

    // MARK: - A new plan

    private struct Which: Decodable {
        /// Whether to make a new plan even if nothing was missed.
        var anew: Bool?

        func proposal(_ book: PlanBook, _ known: LearnerPlan.Known) -> PlanBook.Proposal? {
            anew == true ? book.anew(known.knowledge) : book.proposal(known.knowledge)
        }
    }

    private struct Accepted: Decodable {
        /// The version of the plan that the learner saw.
        var version: Int
        /// The value with which the learner saw it.
        var anew: Bool
    }

    @Sendable private func preview(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator
    {
        let user = try context.requireUser()
        let known = try await learner.known(of: user, at: request.moment(services))
        let which = try await request.json(Which.self, context)
        guard let book = try await learner.book(of: user) else { throw APIProblem.noProfile }
        return Answer(ToldPreview(which.proposal(book, known)))
    }

    @Sendable private func accept(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        let user = try context.requireUser()
        let known = try await learner.known(of: user, at: request.moment(services))
        let accepted = try await request.json(Accepted.self, context)
        let (which, version) = (Which(anew: accepted.anew), accepted.version)
        return try await changed(user, known) { book in
            guard let proposal = which.proposal(book, known), proposal.plan.version == version else {
                throw APIProblem(
                    .conflict, "plan-changed", "The plan has changed",
                    "The plan has changed since you looked at it. Fetch it again.")
            }
            try book.accept(proposal)
        }
    }

    @Sendable private func reroll(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        struct Wanted: Decodable { var section: StudyPlan.Section }
        let user = try context.requireUser()
        let known = try await learner.known(of: user, at: request.moment(services))
        let section = try await request.json(Wanted.self, context).section
        return try await changed(user, known) { book in
            guard try book.reroll(section, known.knowledge) != nil else {
                throw APIProblem(
                    .conflict, "no-plan", "No plan", "This week has no plan yet: POST /v1/plan/preview shows one.")
            }
        }
    }

    @Sendable private func undo(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        let user = try context.requireUser()
        let known = try await learner.known(of: user, at: request.moment(services))
        return try await changed(user, known) { book in
            guard book.undo(known.knowledge) != nil else {
                throw APIProblem(
                    .conflict, "nothing-to-undo", "Nothing to undo", "This week's plan was not changed yet.")
            }
        }
    }

    private func changed(
        _ user: UUID, _ known: LearnerPlan.Known, _ change: (inout PlanBook) throws -> Void
    ) async throws -> Answer<ToldPlan> {
        let book = try await learner.change(of: user) { old in
            guard var book = old else { throw APIProblem.noProfile }
            try change(&book)
            return book
        }
        return Answer(try await learner.told(book, known, to: user))
    }

    // MARK: - Exports

    @Sendable private func prep(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        let user = try context.requireUser()
        let known = try await learner.known(of: user, at: request.moment(services))
        guard let book = try await learner.book(of: user) else { throw APIProblem.noProfile }
        return Answer(
            try PrepPack.made(
                for: book.profile, of: book.plan(known.knowledge), known.knowledge,
                format: .builtIn(book.profile.examFormat)))
    }

    @Sendable private func calendar(_ request: Request, _ context: ServerContext) async throws -> Response {
        guard let book = try await learner.book(of: try context.requireUser()),
            let text = PlanCalendar.text(of: book.history)
        else { throw APIProblem.noProfile }
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
        guard let book = try await learner.book(of: try context.requireUser()) else { throw APIProblem.noProfile }
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
        let spoke = drill?.spoke
        try await learner.desk.take(of: user, at: moment) { $0.review(session.name, spoke) }
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
    static let noProfile = APIProblem(
        .notFound, "no-profile", "No profile", "Say who you are first: PUT /v1/plan/profile.")
}
