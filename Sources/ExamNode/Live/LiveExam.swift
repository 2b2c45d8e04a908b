package import ExamCore

/// The lifecycle of a live exam on this node: events in, commands out, without a clock, file, task or connection.
///
/// It decides when an exam is suspended or left, which clients may enter, and when the client is told that it is over.
/// Events *within* the exam belong to `Exam`. Time is an argument. An event that has no meaning in a phase does nothing.
///
/// ```
///            leave, no client, the node stops              room closed            answers stored, or late
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
package struct LiveExam: Equatable, Sendable {
    /// A time by the steady clock.
    package typealias Moment = Duration

    enum Phase: Equatable, Sendable {
        /// The room is open: a client is connected, or may connect.
        case sitting
        /// The room is being closed, and the exam can be continued afterwards. Clients get this reason.
        case leaving(CloseReason)
        /// The room is closed and the exam is not over. The answers are being stored.
        case saving(CloseReason, until: Moment)
        /// The exam is over, and its client waits for the message that everything is stored.
        case storing(Exam.Outcome, until: Moment)
        /// The client was told that the exam is over. Anything not stored yet follows.
        case told(Exam.Outcome, until: Moment)
        /// The session no longer belongs to this node. Nothing more is written, and the room is being closed.
        case lost(Loss)
        case ended(Ending)
    }

    /// The reason why a session no longer belongs to this node.
    package enum Loss: Equatable, Sendable {
        /// Another node has continued it, or may have.
        case elsewhere
        case erased
    }

    package enum Ending: Equatable, Sendable {
        /// Over, and everything is stored for evaluation. This node need not keep anything.
        case arrived
        /// Over, but stopped before everything was stored. This node's next start stores the rest.
        case unfinished
        /// Not over. It can be continued here or elsewhere.
        case left
        case lost(Loss)
    }

    /// The presence of clients.
    enum Attendance: Equatable, Sendable {
        /// No client has connected yet.
        case awaited(since: Moment)
        /// A client is connected. If there were several, this is the latest.
        case present(Client)
        /// The client has left.
        case deserted(since: Moment)
    }

    /// The number of a connection.
    package typealias Client = Int

    /// The progress of storing the answers.
    enum Storing: Comparable, Sendable {
        /// More answers may be written to disk.
        case encoding
        /// All answers are on disk in their final form.
        case encoded
        /// The store knows that the exam is over.
        case complete
    }

    enum Node: Equatable, Sendable { case running, stopping }

    package enum Event: Equatable, Sendable {
        /// A client says hello with a token that opens this exam. `hasSound`: it still has the unheard sound.
        case joined(Client, hasSound: Bool = true)
        /// A client sends sound, or announces it.
        case heard(Client)
        /// A client sends any other message to the exam.
        case spoke
        /// A client's connection ended.
        case left(Client)
        /// The candidate leaves, and may return.
        case leaveAsked
        case timePassed
        /// Time passed, and this process itself was suspended: messages that arrived meanwhile may be waiting.
        case timeJumped
        /// The room is closed. There is an outcome if the exam is over.
        case roomClosed(Exam.Outcome?)
        /// The room could not be opened, or failed, because a log or disk cannot be used.
        case roomFailed
        /// A take, given by its name, has its final form.
        case takeEncoded(String)
        /// All takes have their final form, and the exam has this state.
        case encoded(LiveState)
        /// Not all takes could be read or written.
        case encodingFailed
        /// An answer, given by its take's name, is safely stored.
        case arrived(String, AnswerRecord)
        /// The store knows that the exam is over.
        case completed
        case nodeStops
        case taken(Loss)
    }

    package enum Command: Equatable, Sendable {
        /// Pass the client's message to the room, in order.
        case pass
        /// Answer it outside of the room: a ping gets a pong.
        case answer
        /// Welcome the client outside of the room.
        case welcome
        /// Make the client wait until this exam has ended, and try again.
        case turnAway
        /// Forget the client that left.
        case unseat
        /// Tell the room that no sound arrives.
        case stall
        case closeRoom
        /// Send an event to the connected client.
        case say(LiveEvent)
        /// Close the client's connection with a reason.
        case close(CloseReason)
        /// Queue the take for the store.
        case deliver
        /// Tell the store that the exam is over.
        case complete
        /// Write nothing more: the session does not belong to this node.
        case letGo
        case note(ExamEvent)
        case end(Ending)
    }

    private(set) var phase = Phase.sitting
    private(set) var attendance: Attendance
    private(set) var hearing: Hearing
    /// The time of a client's last message other than sound.
    private var spokeAt: Moment?
    private(set) var storing = Storing.encoding
    /// The takes on their way to the store, by name.
    private(set) var underway: Set<String> = []
    private(set) var node = Node.running
    /// The takes that were stored before, here or elsewhere, by name. They stay unchanged even if a question is asked
    /// again.
    private let known: Set<String>
    private let times: LiveTimes

    /// - Parameter hasBegun: whether a client was in it before.
    init(known: Set<String> = [], hasBegun: Bool, times: LiveTimes, at now: Moment) {
        self.known = known
        self.times = times
        attendance = hasBegun ? .deserted(since: now) : .awaited(since: now)
        hearing = .expecting(since: now)
    }

    /// Whether it belongs to this node, as far as is known.
    package var isOurs: Bool {
        switch phase {
        case .sitting, .leaving, .saving, .storing, .told, .ended(.arrived), .ended(.unfinished), .ended(.left): true
        case .lost, .ended(.lost): false
        }
    }

    /// Handles an event.
    ///
    /// - Returns: the commands to carry out, in this order.
    package mutating func handle(_ event: Event, at now: Moment) -> [Command] {
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
            // A new client gets time to speak.
            switch hearing {
            case .expecting: hearing = .expecting(since: now)
            case .listening:
                hearing = .listening(since: now)
                // A reloaded page, or another one, lost what was said last, and its candidate expects the question.
                if !hasSound { return [.note(event), .stall, .pass] }
            case .stalled: break
            }
            return [.note(event), .pass]
        case .storing:
            attendance = .present(client)
            return [.welcome]
        case .told:
            return [.welcome, .close(.done)]  // The welcome repeats `over`.
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
            return []  // The room does not listen any more.
        }
    }

    private mutating func spoke(at now: Moment) -> [Command] {
        spokeAt = now
        switch phase {
        case .sitting, .leaving: return [.pass]  // Items that remain are handled when the room closes.
        case .saving, .storing, .told: return [.answer]
        case .lost, .ended: return []
        }
    }

    private mutating func left(_ client: Client, at now: Moment) -> [Command] {
        let wasPresent = attendance == .present(client)
        if wasPresent { attendance = .deserted(since: now) }
        switch phase {
        case .sitting: return wasPresent ? [.note(.left), .pass] : [.pass]  // Otherwise another client replaced it.
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
        guard case .sitting = phase else { return [] }
        switch hearing {
        case .expecting(let since), .listening(let since):
            guard now - since >= longestSilence(since) else { return [] }
            hearing = .stalled
            return [.stall]
        case .stalled: return []
        }
    }

    /// Returns the time without sound after which the exam is suspended. A client that sends other messages meanwhile
    /// is connected but its microphone is silent. A client that sends nothing may have lost its line, and keeps the
    /// sound.
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
        case .leaving, .lost, .ended: return []  // The room is closed without waiting.
        }
    }

    // MARK: - The room

    private mutating func roomClosed(_ outcome: Exam.Outcome?, at now: Moment) -> [Command] {
        let reason: CloseReason
        switch phase {
        case .sitting: reason = .fault  // Unless the exam is over, this is unexpected.
        case .leaving(let why): reason = why
        case .lost(let loss): return end(loss)
        case .saving, .storing, .told, .ended: return []  // A room is closed only once.
        }
        let until = now + times.delivery
        phase = outcome.map { .storing($0, until: until) } ?? .saving(reason, until: until)
        return settle(at: now)
    }

    private mutating func roomFailed(at now: Moment) -> [Command] {
        storing = .encoded  // There is nothing to wait for: no more takes are encoded.
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
        case .sitting, .leaving, .lost, .ended: return []  // The exam is not over, or must not be written any more.
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

    /// Continues if there is nothing left to wait for.
    private mutating func settle(at now: Moment) -> [Command] {
        switch phase {
        case .storing(let outcome, let until):
            // Tell the client as soon as everything is stored and results can be made, or at the latest after a while.
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
            return [.letGo]  // Its room is already being closed.
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
