import ExamCore
import ExamKit
import Foundation
import Synchronization
import SystemSupport
import UploadQueue

/// An exam's client, over all its connections: numbers what happens, sends it to the connected client, and keeps what still holds for
/// the next one.
///
/// A client that was away needs no history: where the exam is, what is to be played, which answers are stored. So of each topic the
/// latest is kept, and what is kept grows with the answers only. Used by the room, and by whatever else happens to the exam.
final class ClientSession: Sendable {
    /// What an event is about; a newer one of the same topic replaces it.
    private enum Topic: Hashable {
        case state, prompt, over
        case stored(part: Int, order: Int, attempt: Int)
    }

    private struct Kept {
        var topic: Topic
        var number: Int
        var event: LiveEvent
    }

    /// How events are numbered.
    private enum Numbering {
        /// From 1, unless the first client counts on from an earlier life of this exam, on this node or another one.
        case unused
        case inUse
    }

    private struct State {
        var connection: (any ClientConnection)?
        var kept: [Kept] = []
        var last = 0
        var numbering = Numbering.unused
        /// The next block to be heard, as the client was told, and how many blocks apart it is told.
        var acked: UInt32 = 0
        var acks: UInt32 = 25
        /// Whether it wants to know how loud it is.
        var levels = false
        /// When the sound came that is being heard; nil while none is.
        var arrival: Duration?
    }

    private let session: UUID
    private let mode: ExamOptions.Mode
    private let metrics: ServerMetrics
    private let notes: @Sendable () -> String
    private let state = Mutex(State())

    /// - Parameter notes: what the candidate wrote down.
    init(session: UUID, mode: ExamOptions.Mode, metrics: ServerMetrics, notes: @escaping @Sendable () -> String) {
        self.session = session
        self.mode = mode
        self.metrics = metrics
        self.notes = notes
    }

    // MARK: Events

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

    /// Sound that came at this moment is being heard: what is told from now on follows from it. Nil: none is.
    func hearing(since arrival: Duration?) { state.withLock { $0.arrival = arrival } }

    /// The number of what is being played; nil where nothing is.
    var prompt: Int? {
        state.withLock { state in
            for kept in state.kept { if case .play = kept.event { return kept.number } }
            return nil
        }
    }

    /// The prompt was played to its end.
    func promptEnded() {
        state.withLock { $0.kept.removeAll { $0.topic == .prompt } }
    }

    // MARK: Connections

    /// Of the connected client.
    var connection: (any ClientConnection)? { state.withLock { $0.connection } }
    var wantsLevels: Bool { state.withLock { $0.levels } }

    /// Lets a client in, over a connection that replaces the one that was there: the newest wins.
    ///
    /// - Parameter block: the next block that is wanted.
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

    /// Says which blocks were heard, as often as the client wants to know.
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
