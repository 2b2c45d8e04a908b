import ExamNode
import ExamStore
import Foundation
import HTTPTypes
import Hummingbird
import SystemSupport

/// Routes for a member's class: its name, and who can see what. For its teachers also the code and the members.
struct ClassRoutes: Sendable {
    let services: Services
    let accounts: ClassAccounts?

    func add(to routes: some RouterMethods<ServerContext>) {
        routes.get("v1/class", use: own)
        routes.post("v1/class/code", use: newCode)
        routes.post("v1/class/members/:member/pin", use: newPIN)
        routes.delete("v1/class/members/:member", use: remove)
    }

    private struct Told: Encodable, Sendable {
        var `class`, name, role: String
        /// The teachers of the class, who can see and hear its learners' exams.
        var teachers: [String]
        /// The code with which learners join. Sent only to teachers.
        var code: String?
        /// Sent only to teachers.
        var members: [Member]?

        struct Member: Encodable, Sendable {
            var user: LowercaseID
            var name, role, joinedAt: String
        }
    }

    @Sendable private func own(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        let (own, members) = try await own(context)
        guard let me = members.first(where: { $0.id == context.caller?.user }) else {
            throw APIProblem.missing("class")
        }
        let isTeacher = me.role == .teacher
        return Answer(
            Told(
                class: own.name, name: me.name, role: me.role.rawValue,
                teachers: members.filter { $0.role == .teacher }.map(\.name),
                code: isTeacher ? JoinCode.shown(own.code) : nil,
                members: isTeacher
                    ? members.map {
                        .init(user: LowercaseID($0.id), name: $0.name, role: $0.role.rawValue, joinedAt: $0.joinedAt)
                    } : nil))
    }

    /// Replaces the code, so that people who know the earlier one cannot join any more.
    @Sendable private func newCode(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator
    {
        struct Told: Encodable, Sendable { var code: String }
        let own = try await taught(context)
        var code = JoinCode.fresh()
        while try await !services.store.service.put(code: code, of: own.id) { code = JoinCode.fresh() }
        return Answer(Told(code: JoinCode.shown(code)))
    }

    /// Gives a learner a new PIN, which only this answer contains.
    @Sendable private func newPIN(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        struct Told: Encodable, Sendable { var pin: String }
        let own = try await taught(context)
        let learner = try context.id("member", of: "learner")
        let pin = PIN.random()
        let hash = await PINHash.make(of: pin, cost: accounts?.cost ?? .usual)
        guard try await services.store.service.put(pinHash: hash.text, ofLearner: learner, in: own.id) else {
            throw APIProblem.missing("learner")
        }
        return Answer(Told(pin: pin))
    }

    @Sendable private func remove(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        let own = try await taught(context)
        let learner = try context.id("member", of: "learner")
        guard try await services.store.service.remove(learner: learner, from: own.id) else {
            throw APIProblem.missing("learner")
        }
        return HTTPResponse.Status.noContent
    }

    /// Returns the class of a teacher.
    private func taught(_ context: ServerContext) async throws -> SchoolClass {
        _ = try context.require(.teacher)
        let (own, members) = try await own(context)
        // The role in this class, not that of a token from elsewhere.
        guard members.contains(where: { $0.id == context.caller?.user && $0.role == .teacher }) else {
            throw APIProblem.missing("class")
        }
        return own
    }

    private func own(_ context: ServerContext) async throws -> (SchoolClass, [ClassMember]) {
        let user = try context.requireUser()
        let service = services.store.service
        guard let own = try await service.schoolClass(of: user) else {
            throw APIProblem(.notFound, "not-found", "Not found", "You are in no class.")
        }
        return (own, try await service.members(of: own.id))
    }
}
