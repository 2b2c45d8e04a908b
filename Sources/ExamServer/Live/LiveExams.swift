import ExamCore
public import ExamKit
import ExamStore
import Foundation
import Glibc
import Logging
public import ServiceLifecycle
import Synchronization
import SessionUploads
import UploadQueue

/// All live exams of a node: opened when a client comes, saved when the server stops, and gone on with by another node when this one
/// dies.
///
/// Runs as a service beside the server whose connections it serves. Where its task is cancelled instead of stopped gracefully,
/// nothing is let go of, as if the process had been killed: leases run out.
public final class LiveExams: Service, Sendable {
    let services: Services
    let times: LiveTimes
    /// This node's name in leases: its own for as long as its folder is.
    let node: String
    let queue: DeliveryQueue
    /// What exams are made of.
    let catalogue: ExamCatalogue
    let sittings: Sittings

    private struct State {
        var held: [UUID: Held] = [:]
        var opening: [UUID: Task<LiveExam, any Error>] = [:]
        /// Sessions that nobody sits here, held for one upload of theirs.
        var borrowed: [UUID: Task<Void, any Error>] = [:]
        var connections: [ObjectIdentifier: (connection: LiveConnection, owner: UUID?)] = [:]
        var isStopping = false
        /// Lets go of what a process before this one held in this folder.
        var lettingGo: Task<Void, any Error>?
        /// When the leases were renewed last.
        var renewedAt = SteadyClock.now
    }

    private struct Held {
        var exam: LiveExam
        var task: Task<Void, Never>
    }

    private let state = Mutex(State())

    var settings: ServerSettings { services.settings }
    var isStopping: Bool { state.withLock { $0.isStopping } }

    /// - Throws: `Problem` where the node's folder cannot be used, or own formats and papers are none.
    public convenience init(_ services: Services) throws(Problem) {
        try self.init(services, times: LiveTimes())
    }

    init(_ services: Services, times: LiveTimes) throws(Problem) {
        self.services = services
        self.times = times
        let folder = services.settings.folder
        try PrivateFile.createFolder(folder + "/exams")
        node = try Self.name(of: services.settings)
        queue = try DeliveryQueue(folder: folder + "/uploads")
        catalogue = try ExamCatalogue(folder: services.settings.ownExams)
        sittings = Sittings(cache: folder + "/prompts", folders: catalogue.folders)
    }

    /// Two nodes that are called the same are two nodes all the same; and one that starts again is the one it was.
    private static func name(of settings: ServerSettings) throws(Problem) -> String {
        let path = settings.folder + "/node"
        if access(path, F_OK) != 0 { try PrivateFile.replace(path, with: Array(UUID().name.prefix(8).utf8)) }
        return "\(settings.node)-\(String(decoding: try PrivateFile.read(path), as: UTF8.self))"
    }

    // MARK: - Clients

    /// The exam that a live token opens, joined by whoever has it.
    ///
    /// - Throws: `CloseReason`.
    func enter(_ hello: ClientMessage.Hello, with connection: LiveConnection) async throws -> LiveExam {
        guard let token = LiveToken(hello.token) else { throw CloseReason.noToken }
        do {
            guard let (session, owner) = try await services.store.service.session(byLiveToken: token.digest) else {
                throw CloseReason.noToken
            }
            try admit(connection, to: session, of: owner)
            // An exam that is just being saved is opened again afterwards.
            for _ in 0..<3 {
                if isStopping { throw CloseReason.goingAway }
                let exam = try await exam(session, of: owner, on: connection.loop)
                if exam.join(connection, hello, token) { return exam }
                await state.withLock { $0.held[session]?.task }?.value
            }
            throw CloseReason.saving
        } catch let error where !(error is CloseReason) {
            services.logger.error("enter", metadata: ["what": "\(Self.words(error))"])
            throw CloseReason.fault
        }
    }

    /// The connection that it takes over from does not count: who has lost its line comes back before this node knows.
    private func admit(_ connection: LiveConnection, to session: UUID, of owner: UUID) throws(CloseReason) {
        let isTooMany = state.withLock { state in
            state.connections[ObjectIdentifier(connection)]?.owner = owner
            let others = state.connections.values.count {
                $0.owner == owner && $0.connection !== connection && $0.connection.exam?.session != session
            }
            return others >= settings.limits.liveConnections
        }
        if isTooMany {
            throw .tooMuch(
                "You have \(settings.limits.liveConnections) connections already: close one.", retryAfter: 10)
        }
    }

    /// - Parameter loop: where its task runs; nil: nobody sits there, and it does not matter.
    func exam(_ session: UUID, of owner: UUID, on loop: LoopExecutor?) async throws -> LiveExam {
        let (held, opening) = state.withLock { state -> (LiveExam?, Task<LiveExam, any Error>?) in
            if let held = state.held[session] { return (held.exam, nil) }
            if let opening = state.opening[session] { return (nil, opening) }
            let opening = Task { try await open(session, of: owner, on: loop) }
            state.opening[session] = opening
            return (nil, opening)
        }
        if let held { return held }
        return try await opening!.value
    }

    private func open(_ session: UUID, of owner: UUID, on loop: LoopExecutor?) async throws -> LiveExam {
        defer { state.withLock { $0.opening[session] = nil } }
        try await letGoOfTheLast()
        // What is being stored of it is stored by then, and its lease let go of.
        if let borrowing = state.withLock({ $0.borrowed[session] }) { _ = try? await borrowing.value }
        let store = services.store.service
        guard let facts = try await store.session(session) else { throw CloseReason.noExam }
        let began = WallTime(utc: facts.startedAt)?.secondsSince1970 ?? 0
        let age = Duration.seconds(WallTime.now.secondsSince1970 - began)
        guard facts.status == .inProgress, age < settings.limits.patience else { throw CloseReason.over }
        switch try await store.takeLease(
            session, node: node, url: settings.nodeURL ?? "", seconds: times.lease.inSeconds)
        {
        case .taken: break
        case .heldBy(let url): throw CloseReason.elsewhere(url.isEmpty ? nil : url)
        case .noSuchSession: throw CloseReason.noExam
        }
        do {
            let ready = try await SessionRestore(services: services, queue: queue).prepare(session, of: owner)
            if ready.isFromElsewhere { services.note(.movedHere, session) }
            let sitting = try await sittings.sitting(frozen: PrivateFile.read(ready.folder.exam))
            let exam = LiveExam(session, of: owner, sitting, ready, exams: self)
            hold(exam, on: loop)
            return exam
        } catch {
            try? await store.releaseLease(session, node: node)
            throw error
        }
    }

    private func hold(_ exam: LiveExam, on loop: LoopExecutor?) {
        state.withLock { state in
            state.held[exam.session] = Held(
                exam: exam,
                task: Task {
                    let isCompleted = await withTaskExecutorPreference(loop) { await exam.hold() }
                    if isCompleted || exam.isErased { forget(exam.session) }
                    await ended(exam)
                })
        }
    }

    private func ended(_ exam: LiveExam) async {
        if !exam.isLost { try? await services.store.service.releaseLease(exam.session, node: node) }
        state.withLock { $0.held[exam.session] = nil }
    }

    func connected(_ connection: LiveConnection) {
        state.withLock { $0.connections[ObjectIdentifier(connection)] = (connection, nil) }
        services.metrics.add(.connections, 1)
    }

    func disconnected(_ connection: LiveConnection) {
        connection.exam?.left(connection)
        state.withLock { $0.connections[ObjectIdentifier(connection)] = nil }
        services.metrics.add(.connections, -1)
    }

    // MARK: - Deliveries

    /// Whether an exam is held here, or about to be: then the lease is its own business.
    func holds(_ session: UUID) -> Bool {
        state.withLock { $0.opening[session] != nil || $0.held[session]?.exam.isLost == false }
    }

    /// For whose sake something of a session may be stored.
    private enum Holding {
        case exam
        case borrowed(Task<Void, any Error>)
        /// An exam that is being opened reads what is stored, and must not miss what is stored meanwhile.
        case notYet(Task<LiveExam, any Error>)
    }

    /// Stores something of a session while it is this node's: an exam that is held here, or one that was left here and is held for as
    /// long as that takes.
    ///
    /// - Throws: `DeliveryFailure` where another node holds it; what `work` throws.
    func holding(_ session: UUID, _ work: @escaping @Sendable () async throws -> Void) async throws {
        while true {
            let holding: Holding = state.withLock { state in
                if let opening = state.opening[session] { return .notYet(opening) }
                if state.held[session]?.exam.isLost == false { return .exam }
                let task = Task { try await borrow(session, work) }
                state.borrowed[session] = task
                return .borrowed(task)
            }
            switch holding {
            case .exam: return try await work()
            case .borrowed(let task):
                defer { state.withLock { $0.borrowed[session] = nil } }
                return try await task.value
            case .notYet(let opening): _ = try? await opening.value
            }
        }
    }

    private func borrow(_ session: UUID, _ work: @Sendable () async throws -> Void) async throws {
        let store = services.store.service
        let lease = try await store.takeLease(
            session, node: node, url: settings.nodeURL ?? "", seconds: times.lease.inSeconds)
        if case .heldBy = lease {
            throw DeliveryFailure(.refused, words: "another node has gone on with this session")
        }
        do {
            try await work()
        } catch {
            try? await store.releaseLease(session, node: node)
            throw error
        }
        try await store.releaseLease(session, node: node)
    }

    func held(_ session: UUID) -> LiveExam? { state.withLock { $0.held[session]?.exam } }

    func arrived(_ upload: Upload) async {
        if case .answer = upload.content { services.metrics.add(.answers) }
        await held(upload.session.id)?.arrived(upload)
        if case .completion = upload.content, !holds(upload.session.id) { forget(upload.session.id) }
    }

    /// What has arrived is not kept here: neither sound nor log nor what the queue remembers.
    func forget(_ session: UUID) {
        _ = try? queue.forget(session: session)
        try? FileManager.default.removeItem(atPath: SessionRestore.path(of: session, in: settings))
    }

    /// A session was erased: its exam ends, and nothing of it stays on this node.
    ///
    /// Other nodes find out when they renew their leases, or start.
    func erased(_ session: UUID) {
        if let held = held(session) { held.lose(.noExam) } else { forget(session) }
    }

    // MARK: - As a service

    public func run() async throws {
        do {
            try await start()
        } catch {
            // The store comes later: leases run out by themselves, and what is left here is found the next time.
            services.logger.warning("start", metadata: ["what": "\(Self.words(error))"])
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.deliver() }
            group.addTask { await self.watch() }
            group.addTask { await self.sweep() }
            group.addTask { await self.stayKnown() }
            if (try? await gracefulShutdown()) != nil {
                await stop()
            } else {
                for exam in all { exam.lose() }
            }
            group.cancelAll()
        }
    }

    private func start() async throws {
        try await letGoOfTheLast()
        for problem in SessionDelivery.catchUp(SessionShelf(path: settings.folder + "/exams"), into: queue) {
            services.logger.warning("answers left", metadata: ["what": "\(problem.sentence)"])
        }
    }

    /// Lets go of what a process before this one held, once, and before anything is opened: a lease that an exam was opened with a moment
    /// ago looks the same.
    private func letGoOfTheLast() async throws {
        let task = state.withLock { state in
            if let task = state.lettingGo { return task }
            let (store, node, seconds) = (services.store.service, node, times.lease.inSeconds)
            let task = Task {
                for session in try await store.renewLeases(node: node, seconds: seconds) {
                    try await store.releaseLease(session, node: node)
                }
            }
            state.lettingGo = task
            return task
        }
        do {
            try await task.value
        } catch {
            // The store was away: again with the next exam.
            state.withLock { if $0.lettingGo == task { $0.lettingGo = nil } }
            throw error
        }
    }

    private var all: [LiveExam] { state.withLock { $0.held.values.map(\.exam) } }

    private func stop() async {
        let (opening, held) = state.withLock { state in
            state.isStopping = true
            return (Array(state.opening.values), Array(state.held.values))
        }
        for held in held { held.exam.end(.goingAway) }
        for opening in opening { (try? await opening.value)?.end(.goingAway) }
        for task in state.withLock({ $0.held.values.map(\.task) }) { await task.value }
        try? await services.store.service.forget(node: node)
    }

    /// Sends what waits, as long as the node runs.
    private func deliver() async {
        let uploader = StoreUploader(exams: self)
        while !Task.isCancelled {
            do {
                _ = try await queue.send(through: uploader, until: .cancelled)
            } catch {
                services.logger.error("uploads", metadata: ["what": "\(error.sentence)"])
            }
            try? await Task.sleep(for: .seconds(1))
        }
    }

    /// Looks for exams that were left.
    private func sweep() async {
        repeat {
            do {
                try await concludeFinished()
                try await concludeAbandoned()
                try await clearAway()
            } catch {
                services.logger.warning("left exams", metadata: ["what": "\(Self.words(error))"])
            }
        } while (try? await Task.sleep(for: times.sweep)) != nil
    }

    /// Looks at the clock for all exams at once: a timer each would be as many wake-ups.
    private func watch() async {
        var lookedAt = SteadyClock.now
        while (try? await Task.sleep(for: times.tick)) != nil {
            let now = SteadyClock.now
            let wasHeldUp = now - lookedAt > times.tick * 4
            lookedAt = now
            for exam in all { exam.look(at: now, wasHeldUp: wasHeldUp) }
            count()
            if now - state.withLock({ $0.renewedAt }) >= times.renewal { await renew(now) }
        }
    }

    /// Renews this node's leases; an exam whose lease is another's, or has to be taken for that, is let go of.
    private func renew(_ now: Duration) async {
        if let counts = try? queue.counts() {
            services.metrics.set(.waitingUploads, Double(counts.open))
        }
        let before = state.withLock { $0.held }
        guard !before.isEmpty else { return state.withLock { $0.renewedAt = now } }
        do {
            let ours = Set(try await services.store.service.renewLeases(node: node, seconds: times.lease.inSeconds))
            state.withLock { $0.renewedAt = now }
            for (session, held) in before where !ours.contains(session) {
                let isErased = try await services.store.service.session(session) == nil
                held.exam.lose(isErased ? .noExam : .elsewhere(nil))
            }
        } catch {
            let age = SteadyClock.now - state.withLock { $0.renewedAt }
            services.logger.warning("leases", metadata: ["what": "\(error.words)"])
            if age >= times.lease { for held in before.values { held.exam.lose() } }
        }
    }

    private func count() {
        var counts: [String: Int] = [:]
        for exam in all { counts[exam.activity.rawValue, default: 0] += 1 }
        for activity in Self.activities {
            services.metrics.set(
                .sessions, Double(counts[activity.rawValue] ?? 0), label: "activity=\"\(activity.rawValue)\"")
        }
    }

    private static let activities: [ExamView.Activity] = [
        .idle, .transition, .examinerSpeaking, .preparing, .waitingForSpeech, .speaking, .closing, .suspended,
    ]

    static func words(_ error: any Error) -> String {
        (error as? StoreError)?.words ?? (error as? AudioStoreError)?.words ?? (error as? Problem)?.sentence
            ?? "\(type(of: error))"
    }
}
