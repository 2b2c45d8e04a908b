import ExamCore

/// What becomes of an exam that this node runs: events in, commands out. No clock, no file, no task, no connection.
///
/// Everything that decides when an exam stands still, when it is left, whom it lets in and when its client is told that it is over
/// lies in this file; what happens *in* the exam is `Exam`'s. Time is an argument, by a clock that cannot be set. An event that means
/// nothing in a phase changes nothing and asks for nothing. `RunningExam` carries the commands out.
///
/// ```
///            leave, nobody there, the node stops           room closed            answers stored, or late
///  sitting ─────────────────────────────────────▶ leaving ────────────▶ saving ──────────────────────────▶ ended(left)
///     │                                              │                    ▲
///     │ room closed, the exam over                   │ it was over just   │ its answers could not be read
///     ▼                                              ▼ then               │
///  storing ◀─────────────────────────────────────────┘                    │
///     │ all stored, or late: "over" is said                               │
///     ▼                                                                   │
///  told ──────────────────────────────────────────────────────────────────┤
///     └── all arrived ──▶ ended(arrived)      the node stops ──▶ ended(unfinished)
///
///  sitting, leaving ── another node's, erased ──▶ lost ── room closed ──▶ ended(lost)
///  saving, storing, told ── the same ──▶ ended(lost)
/// ```
struct LiveExam: Equatable, Sendable {
    /// By the steady clock.
    typealias Moment = Duration

    enum Phase: Equatable, Sendable {
        /// The room is open: a client is connected, or may come.
        case sitting
        /// The room is being closed, and the exam can be gone on with afterwards; what clients are told is this.
        case leaving(CloseReason)
        /// The room is closed and the exam is not over: what was answered is being stored.
        case saving(CloseReason, until: Moment)
        /// The exam is over, and its client waits to hear that all of it is stored.
        case storing(Exam.Outcome, until: Moment)
        /// The client was told that the exam is over; what is not stored follows.
        case told(Exam.Outcome, until: Moment)
        /// The session is not this node's any more, and nothing of it is written; its room is being closed.
        case lost(Loss)
        case ended(Ending)
    }

    /// How a session stops being this node's.
    enum Loss: Equatable, Sendable {
        /// Another node has gone on with it, or may have.
        case elsewhere
        case erased
    }

    enum Ending: Equatable, Sendable {
        /// Over, and all of it is where results are made: nothing needs to be kept here.
        case arrived
        /// Over, and stopped before all of it had arrived: this node's next start sees to the rest.
        case unfinished
        /// Not over: it can be gone on with, here or elsewhere.
        case left
        case lost(Loss)
    }

    /// Who sits there.
    enum Attendance: Equatable, Sendable {
        /// Nobody ever did.
        case awaited(since: Moment)
        /// A client: the latest, where several came.
        case present(Client)
        /// Somebody did.
        case deserted(since: Moment)
    }

    /// A connection's number.
    typealias Client = Int

    /// Whether sound comes.
    enum Hearing: Equatable, Sendable {
        /// As far as is known: the latest came at this moment, or somebody to speak.
        case listening(since: Moment)
        /// None came for too long, and the exam was told so.
        case stalled
    }

    /// How far the answers are on their way.
    enum Storing: Comparable, Sendable {
        /// More of them may be put on disk.
        case encoding
        /// All are on disk, as they will stay.
        case encoded
        /// That the exam is over is known where its answers are.
        case complete
    }

    enum Node: Equatable, Sendable { case running, stopping }

    enum Event: Equatable, Sendable {
        /// A client says hello, with a token that opens this exam; and whether it still has the sound that was not heard.
        case joined(Client, hasSound: Bool = true)
        /// A client's sound, or its word that there will be some.
        case heard(Client)
        /// A client says anything else to the exam.
        case spoke
        /// A client's connection ended.
        case left(Client)
        /// The candidate goes, and may come back.
        case leaveAsked
        case timePassed
        /// Time passed, and this process itself stood still: what clients said meanwhile may be waiting.
        case timeJumped
        /// The room is closed; with an outcome where the exam is over.
        case roomClosed(Exam.Outcome?)
        /// The room could not be opened, or broke: a log or a disk that cannot be used.
        case roomFailed
        /// A take, by its name, is as it will stay.
        case takeEncoded(String)
        /// All takes are, and the exam is in this state.
        case encoded(LiveState)
        /// They could not all be read or written.
        case encodingFailed
        /// An answer, by its take's name, is where nothing can lose it.
        case arrived(String, AnswerRecord)
        /// That the exam is over is known where its answers are.
        case completed
        case nodeStops
        case taken(Loss)
    }

    enum Command: Equatable, Sendable {
        /// Hand what the client said to the room, in order.
        case pass
        /// Answer it outside of the room: a ping gets its pong.
        case answer
        /// Welcome the client outside of the room.
        case welcome
        /// Have it come again when this has ended.
        case turnAway
        /// Forget the client that left.
        case unseat
        /// Tell the room that no sound comes.
        case stall
        case closeRoom
        /// Tell the connected client.
        case say(LiveEvent)
        /// Close the client's connection, saying why.
        case close(CloseReason)
        /// Put the take on its way to the store.
        case deliver
        /// Have it known where its answers are that the exam is over.
        case complete
        /// Write nothing more of it: the session is not this node's.
        case letGo
        case note(ExamEvent)
        case end(Ending)
    }

    private(set) var phase = Phase.sitting
    private(set) var attendance: Attendance
    private(set) var hearing: Hearing
    /// When a client last said something else.
    private var spokeAt: Moment?
    private(set) var storing = Storing.encoding
    /// Takes on their way to the store, by name.
    private(set) var underway: Set<String> = []
    private(set) var node = Node.running
    /// Takes that were stored before, here or elsewhere, by name: they stay as they are, also where a question is asked again.
    private let known: Set<String>
    private let times: LiveTimes

    /// - Parameter hasBegun: whether somebody sat in it before.
    init(known: Set<String> = [], hasBegun: Bool, times: LiveTimes, at now: Moment) {
        self.known = known
        self.times = times
        attendance = hasBegun ? .deserted(since: now) : .awaited(since: now)
        hearing = .listening(since: now)
    }

    /// Whether it is this node's as far as is known.
    var isOurs: Bool {
        switch phase {
        case .sitting, .leaving, .saving, .storing, .told, .ended(.arrived), .ended(.unfinished), .ended(.left): true
        case .lost, .ended(.lost): false
        }
    }

    /// - Returns: what is to be done, in this order.
    mutating func handle(_ event: Event, at now: Moment) -> [Command] {
        switch event {
        case .joined(let client, let hasSound): return join(client, hasSound, at: now)
        case .heard(let client): return hear(client, at: now)
        case .spoke: return spoke(at: now)
        case .left(let client): return left(client, at: now)
        case .leaveAsked: return leaveAsked()
        case .timePassed: return stallIfSilent(at: now) + timePassed(at: now)
        case .timeJumped: return timePassed(at: now)
        case .roomClosed(let outcome): return roomClosed(outcome, at: now)
        case .roomFailed: return roomFailed(at: now)
        case .takeEncoded(let take): return takeEncoded(take)
        case .encoded(let state): return encoded(state, at: now)
        case .encodingFailed: return encodingFailed(at: now)
        case .arrived(let take, let answer): return arrived(take, answer, at: now)
        case .completed: return completed(at: now)
        case .nodeStops: return nodeStops(at: now)
        case .taken(let loss): return taken(loss)
        }
    }

    // MARK: - Clients

    private mutating func join(_ client: Client, _ hasSound: Bool, at now: Moment) -> [Command] {
        switch phase {
        case .sitting:
            let event: ExamEvent =
                switch attendance {
                case .awaited: .begun
                case .present: .takenOver
                case .deserted: .joinedAgain
                }
            attendance = .present(client)
            guard case .listening(let since) = hearing else { return [.note(event), .pass] }
            hearing = .listening(since: now)  // A new client gets time to speak.
            // What was said in a moment's absence is hardly missed; after a longer one the answer has a hole.
            let hasHole = !hasSound && event == .joinedAgain && now - since >= times.longestSilence
            return hasHole ? [.note(event), .stall, .pass] : [.note(event), .pass]
        case .storing:
            attendance = .present(client)
            return [.welcome]
        case .told:
            return [.welcome, .close(.done)]  // `over` is among what the welcome repeats.
        case .leaving, .saving, .lost, .ended:
            return [.turnAway]
        }
    }

    private mutating func hear(_ client: Client, at now: Moment) -> [Command] {
        switch phase {
        case .sitting:
            if attendance == .present(client) { hearing = .listening(since: now) }
            return [.pass]
        case .leaving, .saving, .storing, .told, .lost, .ended:
            return []  // Nobody listens any more.
        }
    }

    private mutating func spoke(at now: Moment) -> [Command] {
        spokeAt = now
        switch phase {
        case .sitting, .leaving: return [.pass]  // What the room has no use for any more is answered when it is closed.
        case .saving, .storing, .told: return [.answer]
        case .lost, .ended: return []
        }
    }

    private mutating func left(_ client: Client, at now: Moment) -> [Command] {
        let wasPresent = attendance == .present(client)
        if wasPresent { attendance = .deserted(since: now) }
        switch phase {
        case .sitting: return wasPresent ? [.note(.left), .pass] : [.pass]  // The latter was taken over from.
        case .leaving: return [.pass]
        case .saving, .storing, .told: return [.unseat]
        case .lost, .ended: return []
        }
    }

    private mutating func leaveAsked() -> [Command] {
        guard case .sitting = phase else { return [] }  // It is left or over already.
        return [.note(.left)] + leave(.done)
    }

    private mutating func leave(_ reason: CloseReason) -> [Command] {
        phase = .leaving(reason)
        return [.closeRoom]
    }

    // MARK: - Time

    private mutating func stallIfSilent(at now: Moment) -> [Command] {
        guard case .sitting = phase, case .listening(let since) = hearing, now - since >= longestSilence(since) else {
            return []
        }
        hearing = .stalled
        return [.stall]
    }

    /// How long no sound may come before the exam stands still. A client that says other things meanwhile has a line, and its microphone
    /// is silent; one that says nothing may have lost its line, and keeps what is said.
    private func longestSilence(_ since: Moment) -> Duration {
        if case .awaited = attendance { return times.longestSilence }
        let speaks = spokeAt.map { $0 - since >= times.longestSilence / 4 } ?? false
        return speaks ? times.longestSilence : times.longestAbsence
    }

    private mutating func timePassed(at now: Moment) -> [Command] {
        switch phase {
        case .sitting:
            switch attendance {
            case .awaited(let since), .deserted(let since):
                return now - since >= times.lingering ? leave(.goingAway) : []
            case .present: return []
            }
        case .saving, .storing, .told: return settle(at: now)
        case .leaving, .lost, .ended: return []  // The room is closed without waiting for anything.
        }
    }

    // MARK: - The room

    private mutating func roomClosed(_ outcome: Exam.Outcome?, at now: Moment) -> [Command] {
        let reason: CloseReason
        switch phase {
        case .sitting: reason = .fault  // Unless the exam is over, nobody asked for that.
        case .leaving(let why): reason = why
        case .lost(let loss): return end(loss)
        case .saving, .storing, .told, .ended: return []  // It is closed once.
        }
        let until = now + times.delivery
        phase = outcome.map { .storing($0, until: until) } ?? .saving(reason, until: until)
        return settle(at: now)
    }

    private mutating func roomFailed(at now: Moment) -> [Command] {
        storing = .encoded  // What was recorded stays where it is.
        return roomClosed(nil, at: now)
    }

    // MARK: - Answers

    private mutating func takeEncoded(_ take: String) -> [Command] {
        guard isOurs, !known.contains(take) else { return [] }
        underway.insert(take)
        return [.deliver]
    }

    private mutating func encoded(_ state: LiveState, at now: Moment) -> [Command] {
        storing = max(storing, .encoded)
        switch phase {
        case .storing, .told: return [.say(.state(state)), .complete] + settle(at: now)
        case .ended(.unfinished): return [.complete]
        case .saving: return settle(at: now)
        case .sitting, .leaving, .lost, .ended: return []  // Not over, or not to be written any more.
        }
    }

    private mutating func encodingFailed(at now: Moment) -> [Command] {
        storing = max(storing, .encoded)
        switch phase {
        case .storing(_, let until), .told(_, let until):
            phase = .saving(.fault, until: until)
            return settle(at: now)
        case .saving: return settle(at: now)
        case .sitting, .leaving, .lost, .ended: return []
        }
    }

    private mutating func arrived(_ take: String, _ answer: AnswerRecord, at now: Moment) -> [Command] {
        guard isOurs else { return [] }
        underway.remove(take)
        return (known.contains(take) ? [] : [.say(.stored(answer))]) + settle(at: now)
    }

    private mutating func completed(at now: Moment) -> [Command] {
        guard isOurs else { return [] }
        storing = .complete
        return settle(at: now)
    }

    /// Goes on where nothing more has to be waited for.
    private mutating func settle(at now: Moment) -> [Command] {
        switch phase {
        case .storing(let outcome, let until):
            // A client that waits for results is told when they can be; where that takes long, that its part is done.
            guard now >= until || storing == .complete && underway.isEmpty else { return [] }
            phase = .told(outcome, until: until)
            return [.say(.over(outcome)), .close(.done)] + settle(at: now)
        case .told(_, let until):
            if storing == .complete { return end(.arrived) }
            return node == .stopping && now >= until ? end(.unfinished) : []
        case .saving(let reason, let until):
            let isStored = storing >= .encoded && underway.isEmpty
            let isLate = now >= until && (storing >= .encoded || node == .stopping)
            return isStored || isLate ? [.close(reason)] + end(.left) : []
        case .sitting, .leaving, .lost, .ended: return []
        }
    }

    // MARK: - The node

    private mutating func nodeStops(at now: Moment) -> [Command] {
        node = .stopping
        if case .sitting = phase { return leave(.goingAway) }
        return settle(at: now)
    }

    private mutating func taken(_ loss: Loss) -> [Command] {
        switch phase {
        case .sitting:
            phase = .lost(loss)
            return [.letGo, .closeRoom]
        case .leaving:
            phase = .lost(loss)
            return [.letGo]  // Its room is being closed already.
        case .saving, .storing, .told:
            return [.letGo] + end(loss)
        case .lost where loss == .erased:
            phase = .lost(.erased)
            return []
        case .lost, .ended: return []
        }
    }

    private mutating func end(_ loss: Loss) -> [Command] {
        [.close(loss == .erased ? .noExam : .elsewhere(nil))] + end(.lost(loss))
    }

    private mutating func end(_ ending: Ending) -> [Command] {
        phase = .ended(ending)
        return [.end(ending)]
    }
}
