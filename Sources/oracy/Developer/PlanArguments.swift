import ArgumentParser
import Backends
import ExamKit
import Learning

/// Which server of plans is asked.
struct PlanServerArguments: ParsableArguments {
    @Option(help: ArgumentHelp("The server's address; instead of ORACY_PLAN_URL.", valueName: "address"))
    var url: String?

    /// - Throws: `Problem.missing` where nothing names a server.
    func client() throws(Problem) -> PlanClient {
        let home = UploadsHome()
        let chosen = try home.destination()
        var own: String?
        if case .backend(let url, _) = chosen { own = url }
        guard let url = PlanServer.url(override: url, configured: own) else {
            throw Problem(.missing, "no server of plans is named: --url or \(PlanServer.variable) does")
        }
        // A token goes to the backend that it is for, and nowhere else.
        guard let chosen, url == own else {
            return PlanClient(url: url, client: UploadsHome.client(), timeout: UploadsHome.timeout)
        }
        return try chosen.plans(
            client: UploadsHome.client(), credentials: home.credentials(of: chosen), timeout: UploadsHome.timeout)
    }
}

/// For whom plans are made.
struct PlanProfileArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A profile as docs/schemas/profile.schema.json describes it; else a sample.", valueName: "file"))
    var profile: String?

    /// - Throws: `Problem`: `missing`, `malformed`.
    func read() throws(Problem) -> LearnerProfile {
        guard let profile else { return Self.sample }
        return try .read(from: PrivateFile.read(profile), name: profile)
    }

    /// Somebody with a job and an exam ahead, whose week has all that a profile can say.
    static let sample = LearnerProfile(
        name: "Sample", stage: "graduate", targetRole: "IELTS 7 for a master's degree", timeBudgetHoursPerDay: 1,
        availableDays: [.monday, .tuesday, .wednesday, .thursday, .friday],
        constraints: ["not before 18:00", "at most 45 minutes at once", "no exams on Monday"], goalBand: 7)
}
