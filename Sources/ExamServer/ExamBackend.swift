public import ExamNode
public import ExamStore
public import Foundation
public import Hummingbird
public import HummingbirdCore
import Logging
public import ServerWork
public import ServiceLifecycle
import UnixSignals

/// A speaking backend: REST, exams over WebSocket, a page, and workers. It runs by itself (`run`) or inside another
/// application:
///
/// ```swift
/// let exams = try await ExamBackend(services, signIn: .tokens(keys))
/// let router = Router(context: ServerContext.self)
/// router.get("hello") { _, _ in "hello" }
/// exams.addRoutes(to: router)
/// let app = Application(router: router, server: exams.channel, services: exams.background(workers: 1))
/// try await app.runService()
/// ```
public struct ExamBackend: Sendable {
    /// The store, the recordings and the metrics, shared by all routes.
    public let services: Services
    private let signIn: SignIn
    /// Nil if the server has no accounts of its own.
    private let desk: ClassDesk?
    /// Nil if no school's people can sign in.
    private let schools: SchoolDesk?
    private let exams: LiveExams
    private let health: HealthRoutes
    private let webhooks: Webhooks

    /// Creates a backend.
    ///
    /// - Parameters:
    ///   - assessors: the assessors of answers. Without any, answers are not assessed.
    ///   - webhooks: the endpoints that receive events of sessions.
    /// - Throws: `StoreError` if the store is not writable, `Problem` if the node's folder is not writable or the
    ///   custom formats, papers and packs are invalid.
    public init(
        _ services: Services, signIn: SignIn, assessors: AssessorPanel = AssessorPanel(),
        webhooks: Webhooks = Webhooks()
    ) async throws {
        var services = services
        services.panel = assessors
        services.practice = try ServerPacks.content(in: services.settings.ownExams)
        self.services = services
        self.signIn = signIn
        desk =
            if let accounts = signIn.accounts {
                await ClassDesk(services: services, accounts: accounts)
            } else { nil }
        schools = signIn.schools.map { SchoolDesk(services: services, accounts: $0) }
        self.webhooks = webhooks
        services.store.tellEvents(to: webhooks.events)
        let left = ScratchFiles(settings: services.settings).removeAll()
        if left > 0 { services.logger.info("removed \(left) files that a killed server had left") }
        exams = try LiveExams(services)
        health = HealthRoutes(services, exams: exams)
        try await TemplateSeeds.put(exams.catalogue, into: services.store)
    }

    /// Adds all routes to a router: `/` is the page, `/v1/…` is REST, `/health`, `/metrics` … are for operators.
    public func addRoutes(to router: Router<ServerContext>) {
        add(to: guarded(router))
    }

    /// Returns a group for an application's own routes next to `/v1`. Their requests are authenticated
    /// (`ServerContext.caller`, nil without a token), counted, limited and logged like all others. Errors that they
    /// throw are answered as JSON (RFC 9457).
    ///
    /// ```swift
    /// exams.ownRoutes(on: router).get("school/exams") { _, context in
    ///     guard let caller = context.caller else { throw HTTPError(.unauthorized) }
    ///     return "\(try await exams.services.store.owned(by: caller.user).usage().sessions)"
    /// }
    /// ```
    public func ownRoutes(on router: Router<ServerContext>) -> RouterGroup<ServerContext> {
        signedIn(guarded(router))
    }

    private func guarded(_ router: Router<ServerContext>) -> RouterGroup<ServerContext> {
        router.group()
            .add(middleware: AccessLog())
            .add(middleware: SecurityHeaders())
            .add(middleware: Problems(metrics: services.metrics))
            .add(middleware: PiecewiseBodies(room: services.outbound))
            .add(middleware: HostCheck(hosts: services.settings.hosts))
            .add(middleware: ForeignPages(services.settings))
    }

    private var browsers: (any BrowserDesk)? {
        if let desk { return desk }
        return schools
    }

    private func signedIn(_ group: RouterGroup<ServerContext>) -> RouterGroup<ServerContext> {
        group.add(middleware: Authentication(signIn: signIn, desk: browsers, metrics: services.metrics))
            .add(middleware: RateLimit(perMinute: services.settings.limits.requestsPerMinute))
    }

    /// Returns the router of a server that runs by itself. It also answers requests to unknown addresses.
    package func router() -> Router<ServerContext> {
        let router = Router(context: ServerContext.self, options: .autoGenerateHeadEndpoints)
        let addresses = Addresses()
        router.add(middleware: AccessLog())
        router.add(middleware: SecurityHeaders())
        router.add(middleware: CrossOrigin(services.settings.allowedOrigins))
        router.add(middleware: Problems(metrics: services.metrics))
        router.add(middleware: PiecewiseBodies(room: services.outbound))
        router.add(middleware: HostCheck(hosts: services.settings.hosts))
        router.add(middleware: ForeignPages(services.settings))
        router.add(middleware: addresses)
        add(to: router.group())
        addresses.know(router.routes.map { ("\($0.path)", $0.method) })
        return router
    }

    /// The channel for connections: HTTP, and the WebSocket of exams.
    public var channel: HTTPServerBuilder { exams.channel }

    private func add(to group: RouterGroup<ServerContext>) {
        let practice = PracticeDesk(services)
        let live = LiveRoutes(exams: exams, desk: practice)
        // These use an exam's token instead of the user's.
        live.addClips(to: group)
        let routes = signedIn(group)
        health.add(to: routes)
        if services.settings.metricsPort == nil { health.addMetrics(to: routes) }
        PageRoutes.add(to: routes)
        DescriptionRoutes.add(to: routes)
        SignInRoutes(desk: desk, schools: schools, takesTokens: signIn.takesTokens).add(to: routes)
        SchoolRoutes(desk: schools).add(to: routes)
        ClassRoutes(services: services, accounts: signIn.accounts).add(to: routes)
        let papers = TemplateExams(catalogue: exams.catalogue)
        TemplateRoutes(services: services, exams: papers).add(to: routes)
        SignedTemplateRoutes(services: services, exams: papers, secret: UploadSecret(of: services)).add(to: routes)
        PaperRoutes(services: services, choice: paperChoice).add(to: routes)
        ProfileRoutes(services: services).add(to: routes)
        SessionRoutes(services: services, exams: exams).add(to: routes)
        ResultRoutes(services: services).add(to: routes)
        SealRoutes(services: services).add(to: routes)
        let streams = EventStreams(services: services)
        EventRoutes(services: services, streams: streams).add(to: routes)
        AssessmentRoutes(services: services, exams: exams).add(to: routes)
        ProgressRoutes(services: services).add(to: routes)
        ConsentRoutes(services: services).add(to: routes)
        GroupRoutes(services: services).add(to: routes)
        AssignmentRoutes(services: services, offer: WorkOnOffer(exams.catalogue)).add(to: routes)
        MarkingRoutes(services: services).add(to: routes)
        SubmissionRoutes(services: services, streams: streams).add(to: routes)
        PracticeTestRoutes(services: services).add(to: routes)
        PracticeRoutes(services: services, desk: practice).add(to: routes)
        BoardRoutes(services: services).add(to: routes)
        DrillRoutes(services: services, desk: practice).add(to: routes)
        LessonRoutes(services: services, desk: practice).add(to: routes)
        TaskRoutes(services: services, desk: practice).add(to: routes)
        SpeechRoutes(exams: exams).add(to: routes)
        PlanRoutes(services: services, desk: practice, exams: exams).add(to: routes)
        GenerateRoutes(services: services, desk: practice).add(to: routes)
        live.add(to: routes)
        LineRoutes().add(to: routes)
        addUploadRoutes(to: routes.group("v1"), services: services)
    }

    /// Returns the services that run alongside the routes until the application stops.
    public func background(workers: Int) -> [any Service] {
        var running: [any Service] = [exams, FreedMemory(room: services.outbound)]
        running += BackgroundWork(services, exams: exams, webhooks: webhooks).services(workers: workers)
        if services.settings.speaksAhead { running.append(PromptsAhead(exams: exams)) }
        return running
    }

    private var paperChoice: PaperChoice { PaperChoice(services: services, catalogue: exams.catalogue) }

    /// Queues a finished session for evaluation by this server's assessors, even if an earlier evaluation finished or
    /// was given up. Does not repeat calls to services that were answered before.
    ///
    /// ```swift
    /// for session in sessions { _ = try await exams.assess(session) }
    /// ```
    /// - Returns: false if there is no such session, or it is still being held.
    /// - Throws: `StoreError`.
    public func assess(_ session: UUID) async throws(StoreError) -> Bool {
        try await services.store.service.queueEvaluation(of: session, by: services.panel.version)
    }

    /// Serves the metrics on their own port.
    private func metrics(at place: Listening) -> some Service {
        let router = Router(context: ServerContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: AccessLog())
        router.add(middleware: SecurityHeaders())
        router.add(middleware: Problems(metrics: services.metrics))
        health.addMetrics(to: router)
        let app = Application(
            router: router,
            configuration: ApplicationConfiguration(
                address: .hostname(place.host, port: place.port), serverName: "oracy"),
            logger: services.logger)
        return ListeningService(place: place, listener: app)
    }

    /// Serves until SIGTERM or SIGINT. Exams in progress then continue for at most `ServerSettings.drainTime`. systemd
    /// is notified of the server's state.
    ///
    /// - Parameters:
    ///   - port: 0 for any free port.
    ///   - identity: the certificate for encrypted connections. Nil for plain ones.
    ///   - running: called with the port once the server listens.
    /// - Throws: `Problem`: `unavailable` if an address or port is not available, `malformed` if the certificate is
    ///   invalid.
    public func run(
        host: String, port: Int, workers: Int, identity: ServerIdentity? = nil,
        running: @escaping @Sendable (Int) -> Void
    ) async throws {
        let router = router()
        let notices = SystemdNotices.ofEnvironment
        var services = background(workers: workers) + [notices]
        if let port = self.services.settings.metricsPort {
            services.append(metrics(at: Listening(host: host, port: port)))
        }
        let app = Application(
            router: router, server: try identity.map { try $0.encrypted(channel) } ?? channel,
            configuration: ApplicationConfiguration(address: .hostname(host, port: port), serverName: "oracy"),
            services: services,
            onServerRunning: { channel in
                running(channel.localAddress?.port ?? port)
                notices.tell("READY=1")
            },
            logger: self.services.logger)
        let draining = Draining(exams: exams, time: self.services.settings.drainTime)
        // The last service is stopped first, and the others when it has returned.
        let group = ServiceGroup(
            services: [app, draining], gracefulShutdownSignals: [.sigterm, .sigint], logger: self.services.logger)
        try await Listening(host: host, port: port).run { try await group.run() }
    }
}
