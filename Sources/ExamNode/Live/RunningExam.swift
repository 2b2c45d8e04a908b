import ExamCore
package import ExamKit
import ExamStore
package import Foundation
import Logging
import SessionFolders
import SessionUploads
import Study
import Synchronization
import SystemSupport
package import UploadQueue

/// One exam that runs on this node. It carries out `LiveExam`'s commands for the room, the client and the way to the
/// store.
///
/// One task runs it (`run`). All other functions may be called from any thread and do not wait. Commands are carried
/// out in order under the lock under which they were decided. None of them waits or calls back.
package final class RunningExam: Sendable {
    package let session: UUID
    package let owner: UUID
    package let prepared: PreparedExam
    private let ready: SessionRestore.Ready
    private let leases: ExamLeases
    private let services: Services
    private let queue: DeliveryQueue
    private let inbox = Inbox<RoomItem>()
    private let client: ClientSession
    private let copy: StoreCopy
    private let (endings, ended) = AsyncStream.makeStream(of: LiveExam.Ending.self)

    private struct State {
        var exam: LiveExam
        var pace = Pace()
        var activity = ExamView.Activity.idle
        /// The digest of the token that opened it last.
        var tokenDigest: String?
    }

    private let state: Mutex<State>

    /// Creates the exam.
    ///
    /// - Parameter queue: this node's queue of uploads to the store.
    package init(
        _ session: UUID, of owner: UUID, _ prepared: PreparedExam, _ ready: SessionRestore.Ready,
        leases: ExamLeases, services: Services, queue: DeliveryQueue, times: LiveTimes
    ) {
        self.session = session
        self.owner = owner
        self.prepared = prepared
        self.ready = ready
        self.leases = leases
        self.services = services
        self.queue = queue
        let copy = StoreCopy(ready, of: session, node: leases.node, store: services.store.service)
        self.copy = copy
        client = ClientSession(
            session: session, mode: prepared.script.options.mode, metrics: services.metrics, notes: { copy.notes })
        var times = times
        if prepared.script.lostLineEndsAnswer { times.longestAbsence = times.longestSilence }
        state = Mutex(
            State(
                exam: LiveExam(
                    known: ready.takes, hasBegun: !ready.lines.isEmpty, times: times, at: SteadyClock.now)))
    }

    // MARK: - From connections

    /// The maximum number of messages that wait for the exam. Its task takes them within milliseconds.
    private static let mostWaiting = 16

    /// Joins a client.
    ///
    /// - Returns: false if the exam was left or has ended meanwhile. Then open it again afterwards.
    package func join(_ connection: any ClientConnection, _ hello: ClientMessage.Hello, _ token: LiveToken) -> Bool {
        let commands = handle(.joined(connection.number, hasSound: hello.hasSound), .joined(connection, hello))
        guard !commands.contains(.turnAway) else { return false }
        state.withLock { $0.tokenDigest = token.digest }
        return true
    }

    /// Records that a connection ended.
    package func left(_ connection: any ClientConnection) {
        handle(.left(connection.number), .left(connection))
    }

    /// Takes a client's message.
    package func take(_ item: RoomItem) {
        switch item {
        case .sound(_, let connection, _): handle(.heard(connection.number), item)
        // Sound will follow, or the exam stalls again.
        case .said(.happened(.back, _), let connection): handle(.heard(connection.number), item)
        default: handle(.spoke, item)
        }
    }

    /// Whether so many messages are waiting that no more should be read.
    package var isSwamped: Bool { inbox.count > Self.mostWaiting }

    /// Waits until few messages are waiting.
    package func caughtUp() async { await inbox.emptied(to: Self.mostWaiting) }

    /// Counts sound.
    ///
    /// - Returns: the time during which nothing more should be read, because sound arrived faster than it is spoken.
    package func wait(for sound: SoundMessage, at now: Duration) -> Duration {
        if services.settings.anyPace { return .zero }
        return state.withLock { $0.pace.count(.milliseconds(20 * sound.count), at: now) }
    }

    /// Stores the complete notes on the card.
    package func keep(notes text: String) { copy.keep(notes: text) }

    /// Ends the candidate's presence. The candidate may return.
    package func leave() { handle(.leaveAsked) }

    /// Returns whether the client with this token is in the exam.
    package func isOpened(by token: LiveToken) -> Bool {
        state.withLock { $0.tokenDigest }.map(token.has) ?? false
    }

    // MARK: - From the node

    var activity: ExamView.Activity { state.withLock { $0.activity } }
    /// Whether a client is connected.
    var isAttended: Bool {
        state.withLock { if case .present = $0.exam.attendance { true } else { false } }
    }
    package var isOurs: Bool { state.withLock { $0.exam.isOurs } }

    /// Saves the exam because the node stops. It may be continued.
    func stop() { handle(.nodeStops) }

    /// Ends the exam at once without writing anything more, because another node has the session or may have it, or it
    /// was erased.
    func lose(_ loss: LiveExam.Loss) { handle(.taken(loss)) }

    /// Returns why this node may no longer write the session: it was erased, or another node has it.
    func howItWasLost() async throws(StoreError) -> LiveExam.Loss {
        try await services.store.service.session(session) == nil ? .erased : .elsewhere
    }

    /// Checks the time. Called several times a second.
    ///
    /// - Parameter time: `timePassed`, or `timeJumped` if this process itself was suspended.
    package func look(_ time: LiveExam.Event) {
        handle(time)
        copy.tryAgain()
    }

    /// Records that an upload of this session was stored.
    func arrived(_ upload: Upload) async {
        switch upload.content {
        case .session, .submission: break
        case .answer(let record, _):
            await copy.take(isStored: record.name)
            handle(.arrived(record.name, record))
        case .completion: handle(.completed)
        }
    }

    // MARK: - Its task

    /// Runs the exam until it is over or left.
    ///
    /// - Parameter loop: the executor on which it is heard. Nil if no client is connected.
    package func run(hearingOn loop: (any TaskExecutor)?) async -> LiveExam.Ending {
        // A client that comes from a node that died may not know yet which answers are stored.
        for answer in ready.answers { client.tell(.stored(answer.record)) }
        let copying = Task {
            // The store rejected a line: this session does not belong to this node any more.
            if await copy.run() == .conflict { lose((try? await howItWasLost()) ?? .elsewhere) }
        }
        var encoding: Task<Void, Never>?
        if let (held, delivery) = await sit(loop) {
            if let outcome = held.outcome { services.note(.over, session, ["outcome": "\(outcome.rawValue)"]) }
            // Encoding may take long if hundreds of exams end at the same time. The client need not wait for it.
            encoding = Task { await encode(held, delivery) }
            closeRoom(.roomClosed(held.outcome))
        } else {
            closeRoom(.roomFailed)
        }
        var ending = LiveExam.Ending.left
        for await end in endings { ending = end }
        // When a node stops, its next start encodes the remaining takes, which are on disk.
        let (node, storing) = state.withLock { ($0.exam.node, $0.exam.storing) }
        if node == .running || storing >= .encoded { await encoding?.value }
        copy.stop()
        await copying.value
        if isOurs { await copy.finish() }
        switch ending {
        case .left: services.note(.putOnDisk, session)
        case .lost(.elsewhere): services.note(.movedAway, session)
        case .lost(.erased), .arrived, .unfinished: break
        }
        return ending
    }

    /// Runs the room.
    ///
    /// - Returns: the session once its room is closed. Nil if it could not be run to an end.
    private func sit(_ loop: (any TaskExecutor)?) async -> (HeldSession, SessionDelivery)? {
        do {
            let delivery = try SessionDelivery(of: ready.folder, into: queue, withIntroductions: true)
            let path = "/v1/exams/\(session.name)"
            let room = BrowserRoom(
                inbox, client: client, metrics: services.metrics, path: path,
                url: { path + "/clips/" + ($0.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "") },
                spokenAlong: SpokenDrill(paper: prepared.paper.id)?.spokenAlong(in: prepared.script) ?? [],
                ahead: { [script = prepared.script] in script.clips(likelyDuring: $0).map(\.id) },
                shown: { [weak self] in self?.shown($0) })
            let stored: @Sendable (StoredTake) -> Void = { [weak self] in self?.stored($0, delivery) }
            let session = try Session(
                resuming: prepared, in: room, folder: ready.folder, writingOn: ExamThreads.shared, stored: stored)
            return (try await withTaskExecutorPreference(loop) { try await session.hold() }, delivery)
        } catch {
            logFault(error)
            return nil
        }
    }

    /// Closes the room. Items that were waiting for it are handled again without the room.
    private func closeRoom(_ event: LiveExam.Event) {
        state.withLock { state in
            carryOut(state.exam.handle(event, at: SteadyClock.now), nil)
            for item in inbox.takeAll() {
                switch item {
                case .joined(let connection, _):
                    let commands = state.exam.handle(.joined(connection.number, hasSound: true), at: SteadyClock.now)
                    if commands.contains(.turnAway) { connection.close(.saving) }
                    carryOut(commands, item)
                case .left(let connection):
                    carryOut(state.exam.handle(.left(connection.number), at: SteadyClock.now), item)
                case .said: carryOut(state.exam.handle(.spoke, at: SteadyClock.now), item)
                case .sound, .stalled, .closing: break  // Nobody listens any more.
                }
            }
        }
        inbox.close()
    }

    /// Waits until the answers are on disk, and tells the store that the exam is over.
    private func encode(_ held: HeldSession, _ delivery: SessionDelivery) async {
        var held = held
        do {
            let result = try await held.store()
            if result.outcome != nil { shown(held.view) }
            guard handle(.encoded(LiveState(held.view))).contains(.complete) else { return }
            try await runBlocking { () throws in try delivery.complete(result.manifest) }
        } catch {
            logFault(error)
            handle(.encodingFailed)
        }
    }

    private func logFault(_ error: any Error) {
        services.logger.error(
            "exam", metadata: ["session": "\(session.name)", "what": "\((error as? Problem)?.sentence ?? "fault")"])
    }

    private func shown(_ view: SessionView) {
        state.withLock { $0.activity = view.exam.activity }
        copy.wake()
    }

    /// Handles a take in its final form. Called on a thread of the encoder.
    private func stored(_ take: StoredTake, _ delivery: SessionDelivery) {
        let name = String(take.file.split(separator: "/").last?.split(separator: ".").first ?? "")
        guard handle(.takeEncoded(name)).contains(.deliver) else { return }
        do {
            try delivery.add(take)
        } catch {
            // The take stays on disk. A take missing from the queue is found when the node starts again.
            services.logger.error("answer", metadata: ["session": "\(session.name)", "take": "\(name)"])
        }
    }

    // MARK: - Commands

    /// Handles an event.
    ///
    /// - Parameter item: the item of the event, if it came over a connection.
    @discardableResult
    private func handle(_ event: LiveExam.Event, _ item: RoomItem? = nil) -> [LiveExam.Command] {
        state.withLock { state in
            let commands = state.exam.handle(event, at: SteadyClock.now)
            carryOut(commands, item)
            return commands
        }
    }

    private func carryOut(_ commands: [LiveExam.Command], _ item: RoomItem?) {
        for command in commands {
            switch command {
            case .pass: item.map { _ = inbox.put($0) }
            case .answer: if case .said(.ping(let at), let connection) = item { connection.send(Wire.pong(at: at)) }
            case .welcome:
                if case .joined(let connection, let hello) = item {
                    client.join(connection, hello, block: hello.blocks.upperBound)
                }
            case .unseat: if case .left(let connection) = item { client.left(connection) }
            case .stall: inbox.put(.stalled)
            case .closeRoom: inbox.put(.closing)
            case .say(let event): client.tell(event)
            case .close(let reason): client.close(reason)
            case .letGo:
                copy.stop()
                leases.forget(session)
            case .note(let event): services.note(event, session, item?.connection ?? [:])
            case .end(let ending):
                ended.yield(ending)
                ended.finish()
            case .turnAway, .deliver, .complete: break  // The caller carries these out, because they may take time.
            }
        }
    }
}
