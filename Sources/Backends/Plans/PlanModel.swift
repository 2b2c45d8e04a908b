import HTTPClient
public import Learning

/// A plan and a prep pack as a screen shows them (V11, V12, V14): the last wish counts, and where the network is away nothing is asked.
///
/// A plan that was loaded stays where a later request fails: then `alert` says why. Whoever lets go of it cancels what is under way. Any thread may
/// ask; `changes` is for those who follow.
public final class PlanModel: Sendable {
    private let client: PlanClient
    private let network: NetworkWatch?
    private let plans = LatestAnswer<StudyPlan>()
    private let preps = LatestAnswer<PrepPack>()

    /// - Parameter network: `client.watch()`, say; nil: each wish is tried.
    public init(_ client: PlanClient, network: NetworkWatch? = nil) {
        self.client = client
        self.network = network
    }

    /// What is known of the plan now.
    public var plan: Loadable<StudyPlan> { plans.shown }
    /// What is known of the prep pack now.
    public var prep: Loadable<PrepPack> { preps.shown }

    /// `plan` now, and each change of it from here on.
    public var changes: AsyncStream<Loadable<StudyPlan>> { plans.changes }
    /// The same of `prep`.
    public var prepChanges: AsyncStream<Loadable<PrepPack>> { preps.changes }

    /// Why the last wish for a plan failed, or else the last one for a prep pack; nil where none did.
    public var alert: AlertState? { plans.alert ?? preps.alert }

    /// False while the server is known to be out of reach: then wishes fail at once, as `ServiceProblem.offline`.
    public var canGenerate: Bool { network?.isOnline != false }

    /// What stands above the plan while nothing can be generated; nil else.
    public var banner: String? { canGenerate ? nil : ServiceProblem.offline.sentence }

    /// Has a week made.
    ///
    /// - Returns: over when it is shown; to cancel it cancels the request, and `plan` is again what it was.
    @discardableResult
    public func generate(for profile: LearnerProfile) -> Task<Void, Never> {
        plans.ask(asking { client throws(PlanProblem) in try await client.routine(for: profile) })
    }

    /// Has a prep pack made; as `generate`.
    @discardableResult
    public func prepare(for profile: LearnerProfile) -> Task<Void, Never> {
        preps.ask(asking { client throws(PlanProblem) in try await client.prep(for: profile) })
    }

    /// Another version of one section of the plan that is here.
    ///
    /// - Returns: nil where none is; nothing happens then.
    @discardableResult
    public func reroll(_ section: StudyPlan.Section, for profile: LearnerProfile) -> Task<Void, Never>? {
        guard let current = plans.loaded else { return nil }
        return plans.ask(
            asking { client throws(PlanProblem) in try await client.reroll(section, for: profile, current) })
    }

    /// Ends what is under way.
    public func cancel() {
        plans.cancel()
        preps.cancel()
    }

    private func asking<Value: Sendable>(
        _ fetch: @escaping @Sendable (PlanClient) async throws(PlanProblem) -> Value
    ) -> LatestAnswer<Value>.Fetch {
        { [client, network] () async throws(ServiceProblem) in
            if network?.isOnline == false { throw .offline }
            do throws(PlanProblem) { return try await fetch(client) } catch { throw ServiceProblem(error) }
        }
    }
}
