public import Learning

/// The state of a plan and a prep pack for a screen. The latest request counts. While the network is away, nothing is
/// requested.
///
/// A loaded plan stays if a later request fails, and `alert` has the reason. Releasing this object cancels its
/// requests. Call it from any thread; observers use `changes`.
public final class PlanModel: Sendable {
    private let client: PlanClient
    private let network: NetworkWatch?
    private let plans = LatestAnswer<StudyPlan>()
    private let preps = LatestAnswer<PrepPack>()

    /// - Parameter network: For example `client.watch()`; nil to try every request.
    public init(_ client: PlanClient, network: NetworkWatch? = nil) {
        self.client = client
        self.network = network
    }

    /// The present state of the plan.
    public var plan: Loadable<StudyPlan> { plans.shown }
    /// The present state of the prep pack.
    public var prep: Loadable<PrepPack> { preps.shown }

    /// The present state of `plan` and every later one.
    public var changes: AsyncStream<Loadable<StudyPlan>> { plans.changes }
    /// The same for `prep`.
    public var prepChanges: AsyncStream<Loadable<PrepPack>> { preps.changes }

    /// The alert for the last failed request of a plan, otherwise of a prep pack; nil if none failed.
    public var alert: AlertState? { plans.alert ?? preps.alert }

    /// False while the server is known to be unreachable. Requests then fail at once with `ServiceProblem.offline`.
    public var canGenerate: Bool { network?.isOnline != false }

    /// The text above the plan while nothing can be generated; otherwise nil.
    public var banner: String? { canGenerate ? nil : ServiceProblem.offline.sentence }

    /// Generates a week.
    ///
    /// - Returns: A task that ends when the week is shown. Cancelling it cancels the request and restores `plan`.
    @discardableResult
    public func generate(for profile: LearnerProfile) -> Task<Void, Never> {
        plans.ask(asking { client throws(PlanProblem) in try await client.routine(for: profile) })
    }

    /// Generates a prep pack, as `generate` does a week.
    @discardableResult
    public func prepare(for profile: LearnerProfile) -> Task<Void, Never> {
        preps.ask(asking { client throws(PlanProblem) in try await client.prep(for: profile) })
    }

    /// Generates another version of one section of the loaded plan.
    ///
    /// - Returns: nil, without any request, if no plan is loaded.
    @discardableResult
    public func reroll(_ section: StudyPlan.Section, for profile: LearnerProfile) -> Task<Void, Never>? {
        guard let current = plans.loaded else { return nil }
        return plans.ask(
            asking { client throws(PlanProblem) in try await client.reroll(section, for: profile, current) })
    }

    /// Cancels the requests in progress.
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
