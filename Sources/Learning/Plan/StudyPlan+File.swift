public import SystemSupport

extension StudyPlan {
    /// Reads a plan from its file, strictly. Whether it is a good one is `findings`' matter, but for what nobody may be misled by: its week, its version,
    /// minutes, and commands that are not the links'.
    ///
    /// - Throws: `Problem.malformed` with line and column, or the field.
    public static func read(from bytes: [UInt8], name: String) throws(Problem) -> StudyPlan {
        let plan = try JSONFile.decode(StudyPlan.self, "plan", version: nil, from: bytes, name: name)
        if let fault = plan.fault { throw Problem(.malformed, "\(name): \(fault)") }
        return plan
    }

    /// The field that makes it no plan, and why; nil where all is well. No full stop.
    public var fault: String? {
        // None of these rules asks who learns.
        let nobody = LearnerProfile(name: "", stage: "", targetRole: "", timeBudgetHoursPerDay: 0, availableDays: [])
        let check = PlanCheck(plan: self, profile: nobody, evidence: PlanEvidence())
        return [PlanRule.week, .minutes, .command].lazy.flatMap(check.findings).first.map {
            "\($0.place): \($0.sentence)"
        }
    }

    /// The same plan is the same bytes: fields stand in the order of the alphabet.
    public var json: [UInt8] { JSONFile.encode(self) }
}

extension LearnerProfile {
    /// Reads a profile from its file, strictly.
    ///
    /// - Throws: `Problem.malformed` with line and column, or with the field and what is wrong with it.
    public static func read(from bytes: [UInt8], name: String) throws(Problem) -> LearnerProfile {
        let profile = try JSONFile.decode(LearnerProfile.self, "profile", version: nil, from: bytes, name: name)
        if let fault = profile.fault { throw Problem(.malformed, "\(name): \(fault)") }
        return profile
    }

    public var json: [UInt8] { JSONFile.encode(self) }
}
