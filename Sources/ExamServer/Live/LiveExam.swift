import ExamCore
import ExamKit
import ExamStore
import Foundation
import Logging
import Synchronization
import SessionUploads
import UploadQueue

/// One exam that this node holds: its room, whoever sits in it, and its way to the store.
///
/// ```
/// open ── join ──▶ held ──┬── over ───────▶ answers arrive ──▶ said to be over ──▶ ended
///                         └── left, nobody there, the server stops ──▶ saved ────▶ ended, to be opened again
/// ```
/// One task holds it (`hold`); everything that happens from outside goes through its inbox, in order.
final class LiveExam: Sendable {
    let session: UUID
    let owner: UUID
    let sitting: PreparedExam
    private let ready: SessionRestore.Ready
    /// The takes that were stored before, by name.
    private let known: Set<String>
    private let exams: LiveExams
    private let inbox = Inbox<LiveItem>()
    private let shipping: LogShipping
    private let pokes: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation

    private struct State {
        /// When sound came last, by the steady clock.
        var heardAt = SteadyClock.now
        var isStalled = false
        var client: LiveConnection?
        /// Somebody has sat in it.
        var hasBegun: Bool
        var aloneSince: Duration? = SteadyClock.now
        var pace = Pace()
        var activity = ExamView.Activity.idle
        /// Takes on their way to the store, by name.
        var pending: Set<String> = []
        /// What clients are told when it ends before it is over.
        var closing: CloseReason?
        /// The store could not be reached with what it has to have.
        var isBehind = false
        /// The room is closed, and answers are waited for.
        var isFinishing = false
        /// No more of them will be stored on this disk.
        var isConcluded = false
        /// The session is another node's: nothing may be written any more.
        var isLost = false
        /// Of the token that opened it last.
        var tokenDigest: String?
        /// What is written on the card, and whether it is on disk and in the store.
        var notes: String
        var areNotesKept = true
    }

    private let state: Mutex<State>

    init(_ session: UUID, of owner: UUID, _ sitting: PreparedExam, _ ready: SessionRestore.Ready, exams: LiveExams) {
        self.session = session
        self.owner = owner
        self.sitting = sitting
        self.ready = ready
        known = ready.takes
        self.exams = exams
        shipping = LogShipping(
            ready.folder, session: session, node: exams.node, store: exams.services.store.service, shipped: ready.lines,
            stored: known)
        (pokes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        state = Mutex(State(hasBegun: !ready.lines.isEmpty, notes: ready.folder.readNotes()))
    }

    // MARK: - From connections

    /// How many messages may wait for the exam; its task has them within milliseconds.
    private static let mostWaiting = 16

    /// - Returns: false where it has ended meanwhile, or is being saved: then it is to be opened again afterwards.
    func join(_ client: LiveConnection, _ hello: ClientMessage.Hello, _ token: LiveToken) -> Bool {
        let event: ExamEvent? = state.withLock { state in
            guard state.closing == nil else { return nil }
            let event: ExamEvent = state.client != nil ? .takenOver : state.hasBegun ? .joinedAgain : .begun
            state.hasBegun = true
            state.client = client
            state.tokenDigest = token.digest
            state.aloneSince = nil
            if !state.isStalled { state.heardAt = SteadyClock.now }  // Whoever comes gets the time to speak.
            return event
        }
        guard let event, inbox.put(.joined(client, hello)) else { return false }
        exams.services.note(event, session)
        return true
    }

    /// A connection ended.
    func left(_ client: LiveConnection) {
        let isMissed = state.withLock { state in
            guard state.client === client else { return false }
            state.client = nil
            state.aloneSince = SteadyClock.now
            return !state.isFinishing && state.closing == nil
        }
        if isMissed { exams.services.note(.left, session) }
        inbox.put(.left(client))
    }

    /// Takes in what a client said.
    func take(_ item: LiveItem) {
        switch item {
        case .sound(_, let client, let at): heard(client, at)
        case .said(.back, let client): heard(client, SteadyClock.now)  // Sound follows, or it has stalled anew.
        default: break
        }
        inbox.put(item)
    }

    /// Whether so much waits for the exam that nobody should say more.
    var isSwamped: Bool { inbox.count > Self.mostWaiting }

    /// Waits while it is.
    func caughtUp() async { await inbox.emptied(to: Self.mostWaiting) }

    private func heard(_ client: LiveConnection, _ at: Duration) {
        state.withLock { state in
            guard state.client === client else { return }
            state.heardAt = at
            state.isStalled = false
        }
    }

    /// - Returns: how long to read nothing more: sound came faster than it is spoken.
    func wait(for sound: SoundMessage, at now: Duration) -> Duration {
        if exams.settings.anyPace { return .zero }
        return state.withLock { $0.pace.count(.milliseconds(20 * sound.count), at: now) }
    }

    /// Keeps what is written on the card, all of it.
    func keep(notes text: String) {
        state.withLock { state in
            state.notes = text
            state.areNotesKept = false
        }
        wake.yield()
    }

    /// The candidate goes, and may come back.
    func leave() {
        exams.services.note(.left, session)
        end(.done)
    }

    /// Whether whoever has this token sits in it.
    func isOpened(by token: LiveToken) -> Bool {
        state.withLock { $0.tokenDigest }.map(token.has) ?? false
    }

    // MARK: - From the node

    var activity: ExamView.Activity { state.withLock { $0.activity } }

    /// Ends it before it is over: it is saved, and may be gone on with.
    func end(_ closing: CloseReason) {
        state.withLock { $0.closing = $0.closing ?? closing }
        inbox.put(.closing)
    }

    /// The session is another node's, or has to be taken for it, or was erased: it ends at once, and nothing of it is written any
    /// more.
    func lose(_ closing: CloseReason = .elsewhere(nil)) {
        state.withLock {
            $0.isLost = true
            $0.closing = closing
        }
        wake.finish()
        inbox.put(.closing)
    }

    /// Looks at the clock; called some times a second.
    ///
    /// - Parameter wasHeldUp: this process itself stood still, so what came may be waiting.
    func look(at now: Duration, wasHeldUp: Bool) {
        let times = exams.times
        let (client, isStalling, isAlone) = state.withLock { state in
            let isStalling = !state.isStalled && !wasHeldUp && now - state.heardAt >= times.longestSilence
            if isStalling { state.isStalled = true }
            let isAlone = state.aloneSince.map { now - $0 >= times.lingering } ?? false
            return (state.client, isStalling, isAlone)
        }
        if isStalling { inbox.put(.stalled) }
        if isAlone { end(.goingAway) }
        client?.look(at: now)
        let (isFinishing, isBehind) = state.withLock { ($0.isFinishing, $0.isBehind) }
        if isFinishing { inbox.put(.tick) }
        if isBehind { wake.yield() }
    }

    /// An upload of this session is where results are made.
    func arrived(_ upload: Upload) async {
        switch upload.content {
        case .session: break
        case .answer(let record, _):
            await shipping.take(isStored: record.name)
            state.withLock { _ = $0.pending.remove(record.name) }
            if !known.contains(record.name) { inbox.put(.stored(record)) }
            wake.yield()
        case .completion: inbox.put(.completed)
        }
    }

    // MARK: - Its task

    /// Holds the exam until it is over, or left.
    ///
    /// - Returns: whether it is over and all of it has arrived: nothing needs to be kept.
    func hold() async -> Bool {
        let line = ClientSession(
            session: session, mode: sitting.script.options.mode, metrics: exams.services.metrics
        ) { [weak self] in
            self?.state.withLock { $0.notes } ?? ""
        }
        // Whoever comes here from a node that died may not have been told yet.
        for answer in ready.answers { line.tell(.stored(answer.record)) }
        let shipping = Task { await ship() }
        var (isCompleted, isOver) = (false, false)
        if let (held, delivery) = await holdSession(line) {
            let outcome = held.outcome
            if let outcome { exams.services.note(.over, session, ["outcome": "\(outcome.rawValue)"]) }
            isOver = outcome != nil
            // Encoding may take its time where hundreds end at once: whoever sits there is not kept waiting for it.
            let conclusion = Task { await conclude(held, delivery) }
            isCompleted = await finish(line, outcome)
            // A node that stops leaves to its next start what is not encoded: the takes are on disk.
            if !exams.isStopping || isConcluded { await conclusion.value }
        } else {
            state.withLock { $0.isConcluded = true }
            _ = await finish(line, nil)
        }
        wake.finish()
        await shipping.value
        if !isLost {
            try? await shipNotes()
            try? await self.shipping.ship()
        }
        if !isOver && !isErased { exams.services.note(isLost ? .movedAway : .putOnDisk, session) }
        return isCompleted
    }

    private var isConcluded: Bool { state.withLock { $0.isConcluded } }
    var isLost: Bool { state.withLock { $0.isLost } }
    var isErased: Bool { state.withLock { $0.closing?.code == .noExam } }

    /// - Returns: the session once its room is closed; nil where it could not be held to an end.
    private func holdSession(_ line: ClientSession) async -> (HeldSession, SessionDelivery)? {
        do {
            let delivery = try SessionDelivery(of: ready.folder, into: exams.queue)
            let path = "/v1/exams/\(session.name)/clips/"
            let room = BrowserRoom(
                inbox, line: line, metrics: exams.services.metrics,
                url: { path + ($0.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "") },
                shown: { [weak self] in self?.shown($0) })
            let stored: @Sendable (StoredTake) -> Void = { [weak self] in self?.stored($0, delivery) }
            let session = try Session(resuming: sitting, in: room, folder: ready.folder, stored: stored)
            let held = try await session.hold()
            return (held, delivery)
        } catch {
            fault(error)
            return nil
        }
    }

    /// Waits until the answers are on disk, and has it known that the exam is over.
    private func conclude(_ held: HeldSession, _ delivery: SessionDelivery) async {
        var held = held
        do {
            let result = try await held.store()
            if result.outcome != nil { shown(held.view) }
            concluded(held.view)
            if result.outcome != nil, !isLost {
                try await runBlocking { () throws in try delivery.complete(result.manifest) }
            }
        } catch {
            fault(error)
            concluded(nil)
        }
    }

    private func concluded(_ view: SessionView?) {
        state.withLock { $0.isConcluded = true }
        inbox.put(.concluded(view))
    }

    private func fault(_ error: any Error) {
        exams.services.logger.error(
            "exam", metadata: ["session": "\(session.name)", "what": "\((error as? Problem)?.sentence ?? "fault")"])
        state.withLock { $0.closing = $0.closing ?? .fault }
    }

    private func shown(_ view: SessionView) {
        state.withLock { $0.activity = view.exam.activity }
        wake.yield()
    }

    /// A take is as it will stay; told on a thread of the encoder's.
    private func stored(_ take: StoredTake, _ delivery: SessionDelivery) {
        let name = String(take.file.split(separator: "/").last?.split(separator: ".").first ?? "")
        guard !isLost, !known.contains(name) else { return }
        state.withLock { _ = $0.pending.insert(name) }
        do {
            try delivery.add(take)
        } catch {
            // It stays where it is; what is in no queue is found again when the node starts.
            exams.services.logger.error("answer", metadata: ["session": "\(session.name)", "take": "\(name)"])
        }
    }

    /// After the room is closed: answers are stored and arrive, and whoever is there is told.
    ///
    /// - Parameter held: how the exam ended; nil where it was left, and may be gone on with.
    /// - Returns: whether all of it has arrived.
    private func finish(_ line: ClientSession, _ held: Exam.Outcome?) async -> Bool {
        state.withLock { $0.isFinishing = true }
        let patience = SteadyClock.now + exams.times.delivery
        var outcome = held
        var isCompleted = false
        var isSaidOver = false
        while !isLost {
            let (isConcluded, isStored) = state.withLock { ($0.isConcluded, $0.isConcluded && $0.pending.isEmpty) }
            let isLate = SteadyClock.now >= patience
            // A client that waits for results is told when they can be; where that takes long, that its part is done.
            if let outcome, !isSaidOver, (isStored && isCompleted) || isLate {
                isSaidOver = true
                line.tell(.over(outcome))
                line.client?.close(.done)
            }
            if isConcluded && (outcome == nil ? isStored || isLate : isCompleted) { break }
            if exams.isStopping && isLate { break }
            guard let item = await inbox.next() else { break }
            switch item {
            case .joined(let client, let hello):
                guard outcome != nil else {
                    client.close(.saving)
                    break
                }
                line.join(client, hello, block: hello.blocks.upperBound)
                if isSaidOver { client.close(.done) }
            case .left(let client): line.left(client)
            case .stored(let answer): line.tell(.stored(answer))
            case .concluded(let view):
                if view == nil { outcome = nil }
                if outcome != nil, let view { line.tell(.state(LiveState(view))) }
            case .completed: isCompleted = true
            case .said(.ping(let at), let client): client.send(Wire.pong(at: at))
            case .sound, .said, .stalled, .tick, .closing: break  // Nobody listens any more.
            }
        }
        let closing = outcome == nil ? state.withLock { $0.closing } ?? .fault : .done
        line.client?.close(closing)
        inbox.close()
        while let item = await inbox.next() {
            if case .joined(let client, _) = item { client.close(.saving) }
        }
        return isCompleted
    }

    /// Copies the log as it grows, and notes as they are written: off the exam's task, which waits for no disk.
    private func ship() async {
        for await _ in pokes {
            if isLost { return }
            do {
                try await shipNotes()
                try await shipping.ship()
            } catch  where error.kind == .conflict {
                exams.services.logger.warning("lease lost", metadata: ["session": "\(session.name)"])
                lose()
            } catch {
                // The store is away: again with the next change, or the next look at the clock.
                state.withLock { $0.isBehind = true }
                continue
            }
            state.withLock { $0.isBehind = false }
        }
    }

    private func shipNotes() async throws(StoreError) {
        let changed = state.withLock { state in
            defer { state.areNotesKept = true }
            return state.areNotesKept ? nil : state.notes
        }
        guard let text = changed else { return }
        try? ready.folder.keep(notes: text)
        do {
            try await exams.services.store.service.put("notes.txt", Array(text.utf8), session: session)
        } catch {
            state.withLock { $0.areNotesKept = false }
            throw error
        }
    }
}
