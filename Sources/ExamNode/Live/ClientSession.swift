import ExamCore
import Foundation
import Synchronization
import SystemSupport

/// The server's side of an exam's client. It lasts from the client's first connection to the last: it numbers events,
/// sends them to the connected client, and keeps those that are still valid for the next connection.
///
/// A client that was away needs no history, only the current state, the prompt to be played and the stored answers. So
/// only the latest event of each topic is kept, and the amount kept grows only with the answers. The room and other
/// parts of the exam send their events through it.
final class ClientSession: Sendable {
    /// The topic of an event. A newer event replaces an older one of the same topic.
    private enum Topic: Hashable {
        case state, prompt, over
        case stored(part: Int, order: Int, attempt: Int)
    }

    private struct Kept {
        var topic: Topic
        var number: Int
        var event: LiveEvent
    }

    /// The numbering of events.
    private enum Numbering {
        /// No event has a number yet. The first one gets 1, unless the first client continues the count of an earlier
        /// run of this exam, on this node or another one.
        case unused
        case inUse
    }

    private struct State {
        var connection: (any ClientConnection)?
        var kept: [Kept] = []
        var last = 0
        var numbering = Numbering.unused
        /// The last acknowledgement said that every block before this one was heard.
        var acked: UInt32 = 0
        /// The number of blocks between two acknowledgements.
        var acks: UInt32 = 25
        /// Whether the client wants to be sent the level of its microphone.
        var levels = false
        /// The arrival time of the sound being heard. Nil if no sound is being heard.
        var arrival: Duration?
    }

    private let session: UUID
    private let mode: ExamOptions.Mode
    private let metrics: ServerMetrics
    private let notes: @Sendable () -> String
    private let state = Mutex(State())

    /// Creates the session.
    ///
    /// - Parameter notes: returns the candidate's notes.
    init(session: UUID, mode: ExamOptions.Mode, metrics: ServerMetrics, notes: @escaping @Sendable () -> String) {
        self.session = session
        self.mode = mode
        self.metrics = metrics
        self.notes = notes
    }

    // MARK: Events

    /// Sends an event.
    ///
    /// - Returns: its number.
    @discardableResult
    func tell(_ event: LiveEvent) -> Int {
        let topic: Topic =
            switch event {
            case .state: .state
            case .play, .stop: .prompt
            case .stored(let answer): .stored(part: answer.part, order: answer.order, attempt: answer.attempt)
            case .over: .over
            }
        let (number, arrival): (Int, Duration?) = state.withLock { state in
            state.last += 1
            state.kept.removeAll { $0.topic == topic }
            state.kept.append(Kept(topic: topic, number: state.last, event: event))
            guard let connection = state.connection else { return (state.last, nil) }
            connection.send(event.text(number: state.last))
            return (state.last, state.arrival)
        }
        if let arrival { metrics.observe(.blockToEvent, (SteadyClock.now - arrival).inSeconds) }
        return number
    }

    /// Sets the arrival time of the sound being heard. `tell` then measures the time from it to each event. Nil if no
    /// sound is being heard.
    func hearing(since arrival: Duration?) { state.withLock { $0.arrival = arrival } }

    /// The number of the prompt being played. Nil if there is no prompt.
    var prompt: Int? {
        state.withLock { state in
            for kept in state.kept { if case .play = kept.event { return kept.number } }
            return nil
        }
    }

    /// Records that the prompt was played to its end.
    func promptEnded() {
        state.withLock { $0.kept.removeAll { $0.topic == .prompt } }
    }

    // MARK: Connections

    /// The connection of the connected client.
    var connection: (any ClientConnection)? { state.withLock { $0.connection } }
    var wantsLevels: Bool { state.withLock { $0.levels } }

    /// Connects a client. The new connection replaces an existing one.
    ///
    /// - Parameter block: the next block that the server wants.
    func join(_ connection: any ClientConnection, _ hello: ClientMessage.Hello, block: UInt32) {
        let notes = notes()
        state.withLock { state in
            if let before = state.connection, before !== connection { before.close(.takenOver) }
            state.connection = connection
            state.acks = UInt32(hello.acks)
            state.acked = block
            state.levels = hello.levels
            if state.numbering == .unused || hello.events > state.last {
                state.last += hello.events
                for index in state.kept.indices { state.kept[index].number += hello.events }
            }
            state.numbering = .inUse
            var now: LiveState?
            for case .state(let state) in state.kept.map(\.event) { now = state }
            connection.send(
                welcome: Wire.welcome(
                    session: session, mode: mode, events: state.last, block: block, state: now, notes: notes),
                block: block)
            for kept in state.kept where kept.number > hello.events {
                connection.send(kept.event.text(number: kept.number))
            }
        }
    }

    func left(_ connection: any ClientConnection) {
        state.withLock { if $0.connection === connection { $0.connection = nil } }
    }

    func close(_ reason: CloseReason) { connection?.close(reason) }

    /// Acknowledges blocks as often as the client wants.
    func heard(before block: UInt32) {
        state.withLock { state in
            guard let connection = state.connection, block >= state.acked, block - state.acked >= state.acks else {
                return
            }
            state.acked = block
            connection.send(heardBefore: block)
        }
    }

    func level(_ level: Double) {
        connection?.sendIfQuick(Wire.level(level))
    }
}
