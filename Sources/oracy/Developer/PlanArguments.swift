import ArgumentParser
import Backends
import Learning
import SystemSupport

/// The choice of a plan server.
struct PlanServerArguments: ParsableArguments {
    @Option(help: ArgumentHelp("The server's address. Default: ORACY_PLAN_URL.", valueName: "address"))
    var url: String?

    /// - Throws: `Problem.missing` if no server is configured.
    func client() throws(Problem) -> PlanClient {
        let home = UploadsHome()
        let chosen = try home.destination()
        var own: String?
        if case .backend(let url, _) = chosen { own = url }
        guard let url = PlanServer.url(override: url, configured: own) else {
            throw Problem(.missing, "no plan server is set; name one with --url or \(PlanServer.variable)")
        }
        // A token goes only to the backend that issued it.
        guard let chosen, url == own else {
            return PlanClient(url: url, client: UploadsHome.client(), timeout: UploadsHome.timeout)
        }
        return try chosen.plans(
            client: UploadsHome.client(), credentials: home.credentials(of: chosen), timeout: UploadsHome.timeout)
    }
}

/// The learner for whom plans are made.
struct PlanProfileArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A profile (docs/schemas/profile.schema.json). Default: a sample.", valueName: "file"))
    var profile: String?

    /// - Throws: `Problem`: `missing`, `malformed`.
    func read() throws(Problem) -> LearnerProfile {
        guard let profile else { return Self.sample }
        return try .read(from: PrivateFile.read(profile), name: profile)
    }

    /// A learner with a job and an upcoming exam. Its week uses everything that a profile can express.
    static let sample = LearnerProfile(
        name: "Sample", stage: "graduate", targetRole: "IELTS 7 for a master's degree", timeBudgetHoursPerDay: 1,
        availableDays: [.monday, .tuesday, .wednesday, .thursday, .friday],
        constraints: ["not before 18:00", "at most 45 minutes at once", "no exams on Monday"], goalBand: 7)
}
