import ExamNode
import ExamStore
import Foundation
import HTTPTypes
import Hummingbird
import Learning
import Logging
import Study
import SystemSupport

/// Routes for assigned work. Teachers assign it to a group or to one learner, and see who has done it. Learners see
/// their own.
struct AssignmentRoutes: Sendable {
    let services: Services
    let offer: WorkOnOffer

    func add(to routes: some RouterMethods<ServerContext>) {
        routes.get("v1/assignments", use: own)
        routes.get("v1/groups/:group/assignments", use: table)
        routes.post("v1/groups/:group/assignments", use: assign)
        routes.get("v1/groups/:group/assignments.csv", use: csv)
        routes.delete("v1/groups/:group/assignments/:assignment", use: withdraw)
    }

    /// The size of a class.
    private static let mostLearners = 200
    /// The maximum number of assignments of a group: more than a year's, and each is looked at for each learner.
    private static let most = 200

    private var store: ServiceStore { services.store.service }

    // MARK: - Learners

    @Sendable private func own(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        struct Told: Encodable, Sendable { var assignments: [ToldAssignment] }
        let caller = try context.requireCaller()
        let moment = try request.moment(services)
        let assigned = try await store.assignments(for: caller.user, in: caller.groupsAsLearner)
        let states = try await states(of: assigned, for: caller.user, at: moment)
        return Answer(
            Told(
                assignments: assigned.map { one in
                    var told = ToldAssignment(one, offer)
                    told.group = one.group
                    told.state = states[one.id].map(ToldState.init)
                    return told
                }),
            headers: [.cacheControl: "no-store"])
    }

    // MARK: - Teachers

    /// Returns the group in the path, and the teacher as its reader.
    private func taught(_ context: ServerContext) throws(APIProblem) -> (group: String, teacher: Reader) {
        let caller = try context.require(.teacher)
        guard let group = context.parameters.get("group")?.removingPercentEncoding, caller.groups.contains(group),
            let reader = caller.readers.first
        else { throw APIProblem.missing("group") }
        return (group, reader)
    }

    private struct Wanted: Decodable {
        var work, due: String
        var learner: UUID?
        var note: String?
    }

    @Sendable private func assign(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        let (group, teacher) = try taught(context)
        let wanted = try await request.json(Wanted.self, context)
        try Field.text(wanted.work, "work", atMost: 200)
        guard let work = AssignedWork(wanted.work), offer.title(of: work) != nil else {
            throw APIProblem.malformed(
                "work: must be work that this server has: sit:full, sit:part2, paper:FORMAT/PAPER, drill:PACK, "
                    + "lesson:LESSON, speak:KIND or test:new.")
        }
        let due = try Field.day(wanted.due, "due")
        guard due >= (try request.moment(services).day) else { throw APIProblem.contradictory("due: is over.") }
        if let note = wanted.note { try Field.text(note, "note", atMost: 200) }
        if let learner = wanted.learner {
            let known = try await store.learners(of: group, for: teacher.user, limit: Self.mostLearners)
            guard known.contains(where: { $0.user == learner }) else { throw APIProblem.missing("learner") }
        }
        let made = StoredAssignment(
            id: UUID(), group: group, learner: wanted.learner, work: work.text, note: wanted.note ?? "",
            due: due.text, teacher: teacher.user,
            madeAt: WallTime(secondsSince1970: Int(services.clock().timeIntervalSince1970)).utc)
        guard try await store.assign(made, most: Self.most) else {
            throw APIProblem(
                .tooManyRequests, "storage-full", "No room left",
                "A group can have \(Self.most) assignments. Withdraw some.")
        }
        services.logger.info("work assigned", metadata: ["assignment": "\(made.id.name)"])
        return Answer(ToldAssignment(made, offer), .created)
    }

    @Sendable private func withdraw(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator
    {
        let (group, _) = try taught(context)
        let id = try context.id("assignment", of: "assignment")
        guard try await store.withdraw(assignment: id, of: group) else { throw APIProblem.missing("assignment") }
        services.logger.info("assigned work withdrawn", metadata: ["assignment": "\(id.name)"])
        return HTTPResponse.Status.noContent
    }

    @Sendable private func table(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        let table = try await table(context, at: request.moment(services))
        return Answer(table.told(offer), headers: [.cacheControl: "no-store"])
    }

    @Sendable private func csv(_ request: Request, _ context: ServerContext) async throws -> Response {
        let table = try await table(context, at: request.moment(services))
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/csv; charset=utf-8", .cacheControl: "no-store",
                .contentDisposition: "attachment; filename=\"assignments.csv\"",
            ], body: ResponseBody(byteBuffer: ByteBuffer(string: table.csv(offer))))
    }

    /// Makes the table of a teacher's group. The exams that did the work are written to the audit log first.
    private func table(_ context: ServerContext, at moment: StudyMoment) async throws -> AssignmentTable {
        let (group, teacher) = try taught(context)
        let assigned = try await store.assignments(of: group, by: teacher)
        var table = AssignmentTable(assigned: assigned)
        for learner in try await store.learners(of: group, for: teacher.user, limit: Self.mostLearners) {
            let own = assigned.filter { $0.learner == nil || $0.learner == learner.user }
            let states = try await states(of: own, for: learner.user, at: moment)
            table.rows.append(.init(learner: learner, states: states))
        }
        try await SessionAccess(services: services).noteOnce("assignments", of: table.sessions, by: teacher)
        return table
    }

    /// Returns the states of a learner's assignments. Those of a newer version, whose work this one does not know, have
    /// none.
    private func states(
        of assigned: [StoredAssignment], for learner: UUID, at moment: StudyMoment
    ) async throws(Problem) -> [UUID: Assignment.State] {
        let shelf = StoreShelf(services, services.owned(by: learner))
        let states = try await shelf.states(
            of: assigned.compactMap(Assignment.init), partCounts: offer.partCounts, at: moment)
        return Dictionary(
            states.compactMap { id, state in UUID(uuidString: id).map { ($0, state) } },
            uniquingKeysWith: { first, _ in first })
    }
}

extension Assignment {
    /// Reads a stored assignment. Nil if a newer version wrote it.
    fileprivate init?(_ stored: StoredAssignment) {
        guard let work = AssignedWork(stored.work), let due = StudyDay(stored.due),
            let made = WallTime(utc: stored.madeAt)
        else { return nil }
        self.init(id: stored.id.name, work: work, due: due, madeAt: made.secondsSince1970)
    }
}
