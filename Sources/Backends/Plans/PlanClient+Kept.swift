import BackendAPI
import HTTPClient
public import Learning
import SystemSupport

/// A learner's own plan, which the server keeps. What a learner did there ticks its tasks.
extension PlanClient {
    /// The learner's plan of this week, and what is done of it.
    public func plan() async throws(PlanProblem) -> ToldPlan { try await told("GET", routes.plan) }

    /// Says who learns; the first time a plan is made at once.
    public func setProfile(_ profile: LearnerProfile) async throws(PlanProblem) -> ToldPlan {
        try await told("PUT", routes.plan("profile"), body: profile.json)
    }

    /// The plan that would be made now.
    ///
    /// - Parameter anew: also where the present one holds: after another profile, say.
    /// - Returns: nil where nothing would change.
    public func preview(anew: Bool = false) async throws(PlanProblem) -> OfferedPlan? {
        struct Perhaps: Decodable { var plan: StudyPlan? }
        let response = try await answer(
            "POST", routes.plan("preview"), body: JSONFile.encode(anew ? ["anew": true] : [:]))
        guard try Self.decode(Perhaps.self, response).plan != nil else { return nil }
        let offer = try Self.decode(OfferedPlan.self, response)
        try Self.check(offer.plan)
        return offer
    }

    /// Takes a previewed plan.
    ///
    /// - Parameters:
    ///   - version: its own.
    ///   - anew: as it was previewed.
    /// - Throws: `server(409, …)` where it would be another one by now. It is sent once: where its answer is lost, `plan()` tells.
    public func accept(_ version: Int, anew: Bool = false) async throws(PlanProblem) -> ToldPlan {
        struct Accepted: Encodable {
            var version: Int
            var anew: Bool
        }
        let accepted = Accepted(version: version, anew: anew)
        return try await told("POST", routes.plan, body: JSONFile.encode(accepted), isOnce: true)
    }

    /// Another version of one section of the learner's own plan. It is sent once, as `undo` is: a second one would be another change.
    public func reroll(_ section: StudyPlan.Section) async throws(PlanProblem) -> ToldPlan {
        try await told(
            "POST", routes.plan("reroll"), body: JSONFile.encode(["section": section.rawValue]), isOnce: true)
    }

    /// Goes back to the plan before.
    ///
    /// - Throws: `server(409, …)` where nothing was changed this week.
    public func undo() async throws(PlanProblem) -> ToldPlan {
        try await told("POST", routes.plan("undo"), body: Self.nothing, isOnce: true)
    }

    /// The prep pack of the learner's own plan.
    public func prep() async throws(PlanProblem) -> PrepPack {
        try Self.prep(try await answer("GET", routes.plan("prep")))
    }

    /// The learner's own week as a calendar, in iCalendar's form.
    public func calendar() async throws(PlanProblem) -> String {
        let text = try await answer("GET", routes.plan("calendar")).text
        guard text.hasPrefix("BEGIN:VCALENDAR") else { throw .decoding(message: "it is no calendar") }
        return text
    }

    /// All that is kept.
    public func export() async throws(PlanProblem) -> ExportedPlans {
        try Self.decode(ExportedPlans.self, try await answer("GET", routes.plan("export")))
    }

    /// Notes that the learner looked at what an exam showed; only the first time counts.
    ///
    /// - Parameter session: the exam's.
    public func reviewed(_ session: String) async throws(PlanProblem) {
        _ = try await answer("POST", routes.plan("reviewed"), body: JSONFile.encode(["session": session]))
    }

    /// Forgets profile and plans.
    public func delete() async throws(PlanProblem) {
        _ = try await answer("DELETE", routes.plan)
    }

    // MARK: - Reading

    private static let nothing = Array("{}".utf8)

    private func told(
        _ method: String, _ url: String, body: [UInt8]? = nil, isOnce: Bool = false
    ) async throws(PlanProblem) -> ToldPlan {
        let told = try Self.decode(ToldPlan.self, try await answer(method, url, body: body, isOnce: isOnce))
        if let plan = told.plan { try Self.check(plan) }
        if let fault = told.profile?.fault { throw .decoding(message: "profile.\(fault)") }
        return told
    }

    /// As strict as of a plan that comes alone.
    private static func check(_ plan: StudyPlan) throws(PlanProblem) {
        if let fault = plan.fault { throw .decoding(message: "the plan: \(fault)") }
    }

    /// Fields that are not known are passed over: a newer server may say more.
    private static func decode<Value: Decodable>(
        _ type: Value.Type, _ response: HTTPResponse
    ) throws(PlanProblem) -> Value {
        do {
            return try JSONFile.decodeLine(type, from: response.body)
        } catch {
            throw .decoding(message: JSONFile.sentence(error, kind: "plan"))
        }
    }
}
