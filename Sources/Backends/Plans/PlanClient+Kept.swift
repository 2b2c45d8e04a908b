import BackendAPI
import HTTPClient
public import Learning
import SystemSupport

/// A learner's own plan, kept by the server. The learner's activity there ticks off its tasks.
extension PlanClient {
    /// Fetches the learner's plan of this week and its progress.
    public func plan() async throws(PlanProblem) -> ToldPlan { try await told("GET", routes.plan) }

    /// Stores the learner's profile. The first time, the server makes a plan at once.
    public func setProfile(_ profile: LearnerProfile) async throws(PlanProblem) -> ToldPlan {
        try await told("PUT", routes.plan("profile"), body: profile.json)
    }

    /// Fetches the plan that the server would make now.
    ///
    /// - Parameter anew: Whether to make a new plan even if the present one is still valid, for example after a change
    ///   of the profile.
    /// - Returns: nil if nothing would change.
    public func preview(anew: Bool = false) async throws(PlanProblem) -> OfferedPlan? {
        struct Perhaps: Decodable { var plan: StudyPlan? }
        let response = try await answer(
            "POST", routes.plan("preview"), body: JSONFile.encode(anew ? ["anew": true] : [:]))
        guard try Self.decode(Perhaps.self, response).plan != nil else { return nil }
        let offer = try Self.decode(OfferedPlan.self, response)
        try Self.check(offer.plan)
        return offer
    }

    /// Accepts a previewed plan.
    ///
    /// - Parameters:
    ///   - version: The version of the preview.
    ///   - anew: The same as for the preview.
    /// - Throws: `server(409, …)` if the plan would be different by now. The request is sent once. If its answer is
    ///   lost, `plan()` shows the result.
    public func accept(_ version: Int, anew: Bool = false) async throws(PlanProblem) -> ToldPlan {
        struct Accepted: Encodable {
            var version: Int
            var anew: Bool
        }
        let accepted = Accepted(version: version, anew: anew)
        return try await told("POST", routes.plan, body: JSONFile.encode(accepted), isOnce: true)
    }

    /// Replaces one section of the learner's own plan with another version. Like `undo`, the request is sent once,
    /// because a second one would be another change.
    public func reroll(_ section: StudyPlan.Section) async throws(PlanProblem) -> ToldPlan {
        try await told(
            "POST", routes.plan("reroll"), body: JSONFile.encode(["section": section.rawValue]), isOnce: true)
    }

    /// Returns to the previous plan.
    ///
    /// - Throws: `server(409, …)` if nothing was changed this week.
    public func undo() async throws(PlanProblem) -> ToldPlan {
        try await told("POST", routes.plan("undo"), body: Self.nothing, isOnce: true)
    }

    /// Fetches the prep pack of the learner's own plan.
    public func prep() async throws(PlanProblem) -> PrepPack {
        try Self.prep(try await answer("GET", routes.plan("prep")))
    }

    /// Fetches the learner's own week in the iCalendar format.
    public func calendar() async throws(PlanProblem) -> String {
        let text = try await answer("GET", routes.plan("calendar")).text
        guard text.hasPrefix("BEGIN:VCALENDAR") else { throw .decoding(message: "it is not a calendar") }
        return text
    }

    /// Fetches everything that the server keeps.
    public func export() async throws(PlanProblem) -> ExportedPlans {
        try Self.decode(ExportedPlans.self, try await answer("GET", routes.plan("export")))
    }

    /// Records that the learner looked at the results of an exam. Only the first time counts.
    ///
    /// - Parameter session: The exam's session.
    public func reviewed(_ session: String) async throws(PlanProblem) {
        _ = try await answer("POST", routes.plan("reviewed"), body: JSONFile.encode(["session": session]))
    }

    /// Deletes the profile and the plans.
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

    /// Checks a plan within a larger response, as strictly as a response that is only a plan.
    private static func check(_ plan: StudyPlan) throws(PlanProblem) {
        if let fault = plan.fault { throw .decoding(message: "the plan: \(fault)") }
    }

    /// Ignores unknown fields, since a newer server may send more.
    private static func decode<Value: Decodable>(
        _ type: Value.Type, _ response: HTTPResponse
    ) throws(PlanProblem) -> Value {
        do {
            return try JSONFile.decodeLine(type, from: response.body)
        } catch {
            throw .decoding(message: JSONMistake(error, kind: "plan").sentence)
        }
    }
}
