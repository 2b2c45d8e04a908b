import ExamKit
import ExamNode
import Foundation
import HTTPTypes
import Hummingbird
import Learning
import Study

/// Routes that make plans for clients that store them themselves: a profile in, a plan out, and nothing stored here.
/// They also return the schemas of the data.
struct GenerateRoutes: Sendable {
    let services: Services
    let desk: PracticeDesk

    func add(to routes: some RouterMethods<ServerContext>) {
        routes.post("generate/routine", use: routine)
        routes.post("generate/prep", use: prep)
        routes.post("reroll", use: reroll)
        for (name, bytes) in Self.schemas {
            routes.get("schemas/\(name).json") { _, _ in
                Response(
                    status: .ok, headers: [.contentType: "application/schema+json"],
                    body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
            }
        }
    }

    private static let schemas: KeyValuePairs = [
        "profile": PackageResources.profile_schema_json, "plan": PackageResources.plan_schema_json,
        "prep": PackageResources.prep_schema_json,
    ]

    @Sendable private func routine(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator
    {
        let user = try context.requireUser()
        let profile = try await request.profile(context)
        let known = try await desk.planning(of: user).facts(at: request.moment(services)).knowledge
        return Answer(StudyPlan(for: profile, known.evidence, week: known.week(for: profile)))
    }

    @Sendable private func prep(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        let user = try context.requireUser()
        let profile = try await request.profile(context)
        let known = try await desk.planning(of: user).facts(at: request.moment(services)).knowledge
        return Answer(
            try PrepPack.made(for: profile, of: nil, known, format: .builtIn(profile.examFormat)))
    }

    private struct Reroll: Decodable {
        var section: StudyPlan.Section
        var profile: LearnerProfile
        var currentPlan: StudyPlan
    }

    @Sendable private func reroll(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        let user = try context.requireUser()
        let wanted = try await request.json(Reroll.self, context)
        if let fault = wanted.profile.fault { throw APIProblem.malformed("profile.\(fault).") }
        if let fault = wanted.currentPlan.fault { throw APIProblem.malformed("currentPlan.\(fault).") }
        let known = try await desk.planning(of: user).facts(at: request.moment(services)).knowledge
        let done = PlanTicks(wanted.currentPlan, known.deeds).done
        return Answer(wanted.currentPlan.rerolled(wanted.section, for: wanted.profile, known.evidence, done: done))
    }
}
