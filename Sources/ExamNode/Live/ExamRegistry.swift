import ExamCore
import ExamStore
package import Foundation
import Logging
import SessionFolders
import Synchronization
import SystemSupport
package import UploadQueue

/// The exams that run on this node, each opened when a client comes for it, and the connected clients.
package final class ExamRegistry: Sendable {
    package let services: Services
    package let times: LiveTimes
    let leases: ExamLeases
    private let queue: DeliveryQueue
    private let preparedExams: PreparedExams

    private struct Running {
        var exam: RunningExam
        var task: Task<Void, Never>
    }

    private struct Connected {
        var connection: any RegisteredConnection
        /// The user. Nil before the client has shown a token.
        var owner: UUID?
    }

    /// Whether exams may be opened.
    private enum Doors {
        case open
        /// Exams that run here continue, but no others are opened.
        case draining
        case closed
    }

    private struct State {
        var running: [UUID: Running] = [:]
        var opening: [UUID: Task<RunningExam, any Error>] = [:]
        var connections: [Int: Connected] = [:]
        var doors = Doors.open

        /// Returns whether a client may enter this exam here.
        func lets(_ session: UUID) -> Bool {
            switch doors {
            case .open: true
            case .draining: running[session] != nil
            case .closed: false
            }
        }
    }

    private let state = Mutex(State())

    package init(
        _ services: Services, leases: ExamLeases, queue: DeliveryQueue, preparedExams: PreparedExams, times: LiveTimes
    ) {
        self.services = services
        self.leases = leases
        self.queue = queue
        self.preparedExams = preparedExams
        self.times = times
    }

    /// Returns the exam if it runs here.
    package subscript(session: UUID) -> RunningExam? { state.withLock { $0.running[session]?.exam } }

    package var all: [RunningExam] { state.withLock { $0.running.values.map(\.exam) } }

    // MARK: - Clients

    package func connected(_ connection: any RegisteredConnection) {
        state.withLock { $0.connections[connection.number] = Connected(connection: connection) }
        services.metrics.add(.connections, 1)
    }

    package func disconnected(_ connection: any RegisteredConnection) {
        connection.exam?.left(connection)
        state.withLock { $0.connections[connection.number] = nil }
        services.metrics.add(.connections, -1)
    }

    package var connections: [any RegisteredConnection] { state.withLock { $0.connections.values.map(\.connection) } }

    /// Joins a client to the exam that its live token opens.
    ///
    /// - Throws: `CloseReason`.
    package func enter(_ hello: ClientMessage.Hello, with connection: any RegisteredConnection) async throws
        -> RunningExam
    {
        guard let token = LiveToken(hello.token) else { throw CloseReason.noToken }
        do {
            guard let (session, owner) = try await services.store.service.session(byLiveToken: token.digest) else {
                throw CloseReason.noToken
            }
            try admit(connection, to: session, of: owner)
            // An exam that is just being saved is opened again afterwards.
            for _ in 0..<3 {
                guard state.withLock({ $0.lets(session) }) else { throw CloseReason.goingAway }
                let exam = try await exam(session, of: owner, on: connection.loop)
                if exam.join(connection, hello, token) { return exam }
                await state.withLock { $0.running[session]?.task }?.value
            }
            throw CloseReason.saving
        } catch let error where !(error is CloseReason) {
            services.logger.error("enter", metadata: ["what": "\(LiveExams.sentence(error))"])
            throw CloseReason.fault
        }
    }

    /// Checks the user's number of connections. The connection to be replaced does not count, because a client that
    /// lost its line returns before this node notices the loss.
    private func admit(_ connection: any RegisteredConnection, to session: UUID, of owner: UUID) throws(CloseReason) {
        let isTooMany = state.withLock { state in
            state.connections[connection.number]?.owner = owner
            let others = state.connections.values.count {
                $0.owner == owner && $0.connection !== connection && $0.connection.exam?.session != session
            }
            return others >= services.settings.limits.liveConnections
        }
        if isTooMany {
            throw .tooMuch(
                "You have \(services.settings.limits.liveConnections) connections already: close one.", retryAfter: 10)
        }
    }

    // MARK: - Opening

    /// Returns the exam, and opens it if it does not run here yet.
    ///
    /// - Parameter loop: the executor on which it is heard. Nil if no client is connected.
    /// - Throws: `CloseReason`, `StoreError`, `AudioStoreError`, `Problem`.
    package func exam(_ session: UUID, of owner: UUID, on loop: (any TaskExecutor)?) async throws -> RunningExam {
        enum Found {
            case running(RunningExam)
            case opening(Task<RunningExam, any Error>)
        }
        let found: Found = state.withLock { state in
            if let running = state.running[session] { return .running(running.exam) }
            if let opening = state.opening[session] { return .opening(opening) }
            let opening = Task {
                defer { self.state.withLock { $0.opening[session] = nil } }
                return try await self.leases.open(session) { try await self.open(session, of: owner, on: loop) }
            }
            state.opening[session] = opening
            return .opening(opening)
        }
        switch found {
        case .running(let exam): return exam
        case .opening(let task): return try await task.value
        }
    }

    private func open(_ session: UUID, of owner: UUID, on loop: (any TaskExecutor)?) async throws -> RunningExam {
        guard let facts = try await services.store.service.session(session) else { throw CloseReason.noExam }
        let began = WallTime(utc: facts.startedAt)?.secondsSince1970 ?? 0
        let age = Duration.seconds(WallTime.now.secondsSince1970 - began)
        guard facts.status == .inProgress, age < services.settings.limits.patience else { throw CloseReason.over }
        let ready = try await SessionRestore(services: services, queue: queue).prepare(session, of: owner)
        if ready.isFromElsewhere { services.note(.movedHere, session) }
        let prepared = try await preparedExams.exam(
            frozen: PrivateFile.read(ready.folder.exam), record: try? PrivateFile.read(ready.folder.record))
        let exam = RunningExam(
            session, of: owner, prepared, ready, leases: leases, services: services, queue: queue, times: times)
        run(exam, on: loop)
        return exam
    }

    private func run(_ exam: RunningExam, on loop: (any TaskExecutor)?) {
        state.withLock { state in
            let task = Task(executorPreference: ExamThreads.shared) {
                let ending = await exam.run(hearingOn: loop)
                switch ending {
                case .arrived, .lost(.erased): self.forget(exam.session)
                case .left, .unfinished, .lost(.elsewhere): break  // The exam can be continued from the folder.
                }
                if exam.isOurs { await self.leases.release(exam.session) }
                self.state.withLock { $0.running[exam.session] = nil }
            }
            state.running[exam.session] = Running(exam: exam, task: task)
        }
    }

    // MARK: - Events of exams

    /// Handles an upload that was stored.
    func arrived(_ upload: Upload) async {
        let session = upload.session.id
        switch upload.content {
        case .answer(let record, let file):
            services.metrics.add(.answers)
            services.note(
                .answerStored, session,
                ["answer": "\(upload.id.name)", "take": "\(record.name)", "bytes": "\(file.byteCount)"])
        case .completion: services.note(.stored, session)
        case .session, .submission: break
        }
        await self[session]?.arrived(upload)
        if case .completion = upload.content, !leases.isForExam(session) { forget(session) }
    }

    /// Removes everything that this node keeps of a stored session: sound, log and entries of the queue.
    package func forget(_ session: UUID) {
        _ = try? queue.forget(session: session)
        try? FileManager.default.removeItem(atPath: SessionRestore.path(of: session, in: services.settings))
    }

    /// Ends the exam of an erased session and removes everything of it from this node.
    package func erased(_ session: UUID) {
        if let exam = self[session] { exam.lose(.erased) } else { forget(session) }
    }

    /// Stops opening exams, except those that already run here.
    func drain() { state.withLock { if $0.doors == .open { $0.doors = .draining } } }

    package var isDraining: Bool { state.withLock { $0.doors != .open } }

    package var isEmpty: Bool { state.withLock { $0.running.isEmpty && $0.opening.isEmpty } }

    /// Ends and saves all exams, and opens no more.
    func stop() async {
        let (opening, running) = state.withLock { state in
            state.doors = .closed
            return (Array(state.opening.values), state.running.values.map(\.exam))
        }
        for exam in running { exam.stop() }
        for opening in opening { (try? await opening.value)?.stop() }
        for task in state.withLock({ $0.running.values.map(\.task) }) { await task.value }
    }
}
