import BackendAPI
public import HTTPClient
public import Learning
import SystemSupport
import UploadQueue

/// A client for study plans from an Oracy server. The methods here generate plans that the server doesn't keep. A
/// learner's own plans are in `PlanClient+Kept.swift`.
///
/// Call it from any thread. A cancelled task ends its request at once and gets `cancelled`, never an answer.
/// `PlanModel` holds the state for a screen.
public struct PlanClient: Sendable {
    /// The server's address: `http://localhost:8081`.
    public let place: String
    let routes: BackendRoutes
    let network: any HTTPExchanging
    private let token: BearerToken
    private let limits: HTTPLimits
    private let offset: @Sendable () -> Int
    private let sleep: @Sendable (Duration) async throws -> Void

    /// The delays before the second, third and fourth try.
    static let delays: [Duration] = [.milliseconds(200), .milliseconds(500), .seconds(1)]

    /// - Parameters:
    ///   - url: https, or http on this machine; see `PlanServer`.
    ///   - token: Returns the user's token; nil if the server needs none.
    ///   - timeout: The limit for a single try from beginning to end. There are at most four tries.
    ///   - offset: Returns the seconds by which the learner's clock is east of UTC. It is called before each request;
    ///     nil uses this machine's.
    ///   - sleep: Replaced in tests.
    public init(
        url: String, client: any HTTPExchanging = CurlClient(), token: @escaping BearerToken = { nil },
        timeout: Duration = .seconds(15), offset: (@Sendable () -> Int)? = nil,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        place = url
        routes = BackendRoutes(base: url)
        network = client
        self.token = token
        var limits = HTTPLimits()
        (limits.total, limits.idle, limits.connect) = (timeout, timeout, min(timeout, limits.connect))
        self.limits = limits
        self.offset = offset ?? { WallTime.now.secondsEast }
        self.sleep = sleep
    }

    /// Watches whether the server can be reached, for as long as the caller keeps the watch.
    public func watch(_ intervals: NetworkWatch.Intervals = NetworkWatch.Intervals()) -> NetworkWatch {
        NetworkWatch(of: .backend(url: place), client: network, intervals: intervals)
    }

    // MARK: - Generated plans

    /// Checks that the server is there and healthy. Sends no token.
    public func health() async throws(PlanProblem) {
        struct Health: Decodable { var status: String }
        let response = try await answer("GET", routes.health, isSigned: false)
        guard let health = try? JSONFile.decodeLine(Health.self, from: response.body) else {
            throw .decoding(message: "status: is missing")
        }
        guard health.status == "ok" else { throw .decoding(message: "status: should be ok") }
    }

    /// Generates a plan for the current week, from the profile alone.
    public func routine(for profile: LearnerProfile) async throws(PlanProblem) -> StudyPlan {
        try Self.plan(try await answer("POST", routes.generatedRoutine, body: profile.json))
    }

    /// Generates a pack for an exam or an interview.
    public func prep(for profile: LearnerProfile) async throws(PlanProblem) -> PrepPack {
        try Self.prep(try await answer("POST", routes.generatedPrep, body: profile.json))
    }

    /// Generates another version of one section.
    ///
    /// - Throws: `decoding` also if the answer changes something outside of the section.
    public func reroll(
        _ section: StudyPlan.Section, for profile: LearnerProfile, _ currentPlan: StudyPlan
    ) async throws(PlanProblem) -> StudyPlan {
        struct Wish: Encodable {
            var section: StudyPlan.Section
            var profile: LearnerProfile
            var currentPlan: StudyPlan
        }
        let wish = Wish(section: section, profile: profile, currentPlan: currentPlan)
        let plan = try Self.plan(try await answer("POST", routes.rerolledPlan, body: JSONFile.encode(wish)))
        if let field = plan.field(changedBeside: section, since: currentPlan) {
            throw .decoding(message: "\(field): is not as expected after a new \(section.rawValue)")
        }
        return plan
    }

    // MARK: - Reading

    static func plan(_ response: HTTPResponse) throws(PlanProblem) -> StudyPlan {
        try read { () throws(Problem) in try .read(from: response.body, name: "the plan") }
    }

    static func prep(_ response: HTTPResponse) throws(PlanProblem) -> PrepPack {
        try read { () throws(Problem) in try .read(from: response.body, name: "the prep pack") }
    }

    static func read<Value>(_ value: () throws(Problem) -> Value) throws(PlanProblem) -> Value {
        do throws(Problem) { return try value() } catch { throw .decoding(message: error.sentence) }
    }

    // MARK: - Asking

    /// - Parameters:
    ///   - isOnce: Whether to send the request only once in any case, because repeating it after a lost answer would
    ///     change something twice.
    ///   - isSigned: Whether to send the user's token.
    func answer(
        _ method: String, _ url: String, body: [UInt8]? = nil, isOnce: Bool = false, isSigned: Bool = true
    ) async throws(PlanProblem) -> HTTPResponse {
        guard ServerURL.mistake(inBase: place) == nil else { throw .invalidURL }
        var tries = 0
        while true {
            var request = try await request(method, url, body, isSigned: isSigned)
            request.isAlone = isOnce
            let problem: PlanProblem
            let mayPass: Bool
            do throws(HTTPFailure) {
                let response = try await network.exchange(request, limits: limits)
                // A cancelled caller gets no answer, even if one has just arrived.
                if Task.isCancelled { throw HTTPFailure(.cancelled, "cancelled") }
                if response.isDone { return response }
                problem = PlanProblem(response)
                mayPass = response.status >= 500
            } catch {
                problem = PlanProblem(error)
                // If no server listens, repeating the request doesn't help. The user may try again later.
                mayPass = error.kind == .connectionLost || error.kind == .timeout
            }
            guard mayPass, !isOnce, tries < Self.delays.count else { throw problem }
            do { try await sleep(Self.delays[tries]) } catch { throw .cancelled }
            tries += 1
        }
    }

    private func request(
        _ method: String, _ url: String, _ body: [UInt8]?, isSigned: Bool
    ) async throws(PlanProblem) -> HTTPRequest {
        var headers = [
            ("Accept", "application/json, application/problem+json, */*;q=0.5"),
            (BackendRoutes.offsetHeader, String(offset())),
        ]
        if body != nil { headers.append(("Content-Type", "application/json")) }
        if isSigned {
            do throws(DeliveryFailure) {
                headers += try await network.headers(token)
            } catch {
                throw error.kind == .cancelled ? .cancelled : .unknown(underlying: error)
            }
        }
        return HTTPRequest(method, url, headers: headers, body: body.map { .bytes($0) } ?? .none)
    }
}

extension StudyPlan {
    /// Returns the first field that another version of a section must not change but did; nil if all is well.
    fileprivate func field(changedBeside section: Section, since old: StudyPlan) -> String? {
        if version != old.version + 1 { return "version" }
        if weekOf != old.weekOf { return "weekOf" }
        if section != .resources, resources != old.resources { return "resources" }
        if section != .timeBlocks, timeBlocks != old.timeBlocks { return "timeBlocks" }
        if section != .dailyTasks, dailyTasks != old.dailyTasks { return "dailyTasks" }
        return milestones == old.milestones ? nil : "milestones"
    }
}
