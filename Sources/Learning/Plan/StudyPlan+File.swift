public import SystemSupport

extension StudyPlan {
    /// Reads a plan from its file, strictly. Checks only the facts that could mislead: week, version, minutes, and
    /// commands that must match their links. `findings` checks the rest.
    ///
    /// - Throws: `Problem.malformed` with the line and column or the field.
    public static func read(from bytes: [UInt8], name: String) throws(Problem) -> StudyPlan {
        let plan = try JSONFile.decode(StudyPlan.self, "plan", version: nil, from: bytes, name: name)
        if let fault = plan.fault { throw Problem(.malformed, "\(name): \(fault)") }
        return plan
    }

    /// The invalid field and the reason, without a full stop. Nil if the plan is valid.
    public var fault: String? {
        // None of these rules depends on the learner.
        let blank = LearnerProfile(name: "", stage: "", targetRole: "", timeBudgetHoursPerDay: 0, availableDays: [])
        let check = PlanCheck(plan: self, profile: blank, evidence: PlanEvidence())
        return [PlanRule.week, .minutes, .command].lazy.flatMap(check.findings).first.map {
            "\($0.place): \($0.sentence)"
        }
    }

    /// The plan as JSON with its fields in alphabetical order, so that the same plan has the same bytes.
    public var json: [UInt8] { JSONFile.encode(self) }
}

extension LearnerProfile {
    /// Reads a profile from its file, strictly.
    ///
    /// - Throws: `Problem.malformed` with the line and column or the invalid field.
    public static func read(from bytes: [UInt8], name: String) throws(Problem) -> LearnerProfile {
        let profile = try JSONFile.decode(LearnerProfile.self, "profile", version: nil, from: bytes, name: name)
        if let fault = profile.fault { throw Problem(.malformed, "\(name): \(fault)") }
        return profile
    }

    public var json: [UInt8] { JSONFile.encode(self) }
}
