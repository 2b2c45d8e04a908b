import ExamKit
import ExamNode
import Foundation
import HTTPTypes
import Hummingbird
import Learning
import Study
import SystemSupport

/// Routes that make plans for clients that store them themselves: a profile in, a plan out, and nothing stored here.
/// Plans travel in two versions: see `PlanBody`. The routes also return the schemas of the data.
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

    @Sendable private func routine(_ request: Request, _ context: ServerContext) async throws -> Response {
        let user = try context.requireUser()
        let body = try await PlanBody(request, context)
        let profile = try body.profile()
        let known = try await desk.planning(of: user).facts(at: request.moment(services)).knowledge
        let plan = StudyPlan(for: profile, known.evidence, week: known.week(for: profile))
        return switch body.version {
        case .brief: try Answer(BriefPlan(plan)).response(from: request, context: context)
        case .full: try Answer(plan).response(from: request, context: context)
        }
    }

    @Sendable private func prep(_ request: Request, _ context: ServerContext) async throws -> Response {
        let user = try context.requireUser()
        let body = try await PlanBody(request, context)
        let profile = try body.profile()
        let known = try await desk.planning(of: user).facts(at: request.moment(services)).knowledge
        let pack = try PrepPack.made(for: profile, of: nil, known, format: .builtIn(profile.examFormat))
        return switch body.version {
        case .brief: try Answer(BriefPrep(pack, for: profile)).response(from: request, context: context)
        case .full: try Answer(pack).response(from: request, context: context)
        }
    }

    private struct Reroll: Decodable {
        var section: StudyPlan.Section
        var profile: LearnerProfile
        var currentPlan: StudyPlan
    }

    @Sendable private func reroll(_ request: Request, _ context: ServerContext) async throws -> Response {
        let user = try context.requireUser()
        let body = try await PlanBody(request, context, profile: "profile")
        switch body.version {
        case .brief:
            let wanted = try body.decoded(BriefReroll.self)
            if let fault = wanted.fault { throw APIProblem.malformed("\(fault).") }
            let known = try await desk.planning(of: user).facts(at: request.moment(services)).knowledge
            return Response(
                status: .ok, headers: [.contentType: "application/json"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: try wanted.rerolled(known).written)))
        case .full:
            let wanted = try body.decoded(Reroll.self)
            if let fault = wanted.profile.fault { throw APIProblem.malformed("profile.\(fault).") }
            if let fault = wanted.currentPlan.fault { throw APIProblem.malformed("currentPlan.\(fault).") }
            let known = try await desk.planning(of: user).facts(at: request.moment(services)).knowledge
            let done = PlanTicks(wanted.currentPlan, known.deeds).done
            let next = wanted.currentPlan.rerolled(wanted.section, for: wanted.profile, known.evidence, done: done)
            return try Answer(next).response(from: request, context: context)
        }
    }
}
