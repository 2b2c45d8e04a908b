import ExamCore
import ExamKit
import Foundation
import UploadQueue

/// The line from an exam to its client: numbers what happens, says it to whoever is there, and keeps what still holds for whoever
/// comes next.
///
/// A client that was away needs no history: where the exam is, what is to be played, which answers are stored. So what is kept
/// has a place each, and grows with the answers only. Used by the exam's task alone.
final class ClientSession {
    private enum Place: Hashable {
        case state, prompt, over
        case stored(part: Int, order: Int, attempt: Int)
    }

    private struct Kept {
        var place: Place
        var number: Int
        var event: LiveEvent
    }

    private let session: UUID
    private let mode: ExamOptions.Mode
    private let metrics: ServerMetrics
    private let notes: () -> String
    private(set) var client: LiveConnection?
    private var kept: [Kept] = []
    private var last = 0
    private var isNew = true
    /// The next block to be heard, as the client was told, and how many blocks apart it is told.
    private var acked: UInt32 = 0
    private var acks: UInt32 = 25
    /// Whether anybody wants to know how loud it is.
    private(set) var wantsLevels = false
    /// When the sound came that is being heard; nil while none is.
    var arrival: Duration?

    /// - Parameter notes: what the candidate wrote down.
    init(session: UUID, mode: ExamOptions.Mode, metrics: ServerMetrics, notes: @escaping () -> String) {
        self.session = session
        self.mode = mode
        self.metrics = metrics
        self.notes = notes
    }

    // MARK: Events

    func tell(_ event: LiveEvent) {
        let place: Place =
            switch event {
            case .state: .state
            case .play, .stop: .prompt
            case .stored(let answer): .stored(part: answer.part, order: answer.order, attempt: answer.attempt)
            case .over: .over
            }
        last += 1
        kept.removeAll { $0.place == place }
        kept.append(Kept(place: place, number: last, event: event))
        guard let client else { return }
        client.send(event.text(number: last))
        if let arrival { metrics.observe(.blockToEvent, (SteadyClock.now - arrival).inSeconds) }
    }

    /// The number of what is being played; nil where nothing is.
    var prompt: Int? {
        for kept in kept { if case .play = kept.event { return kept.number } }
        return nil
    }

    /// The prompt was played to its end.
    func promptEnded() {
        kept.removeAll { $0.place == .prompt }
    }

    // MARK: Clients

    /// Lets a client in, in the place of one that was there: the newest wins.
    ///
    /// - Parameter block: the next block that is wanted.
    func join(_ client: LiveConnection, _ hello: ClientMessage.Hello, block: UInt32) {
        if let before = self.client, before !== client { before.close(.takenOver) }
        self.client = client
        acks = UInt32(hello.acks)
        acked = block
        wantsLevels = hello.levels
        if isNew || hello.events > last {
            // It counts on from an earlier life of this exam, on this node or another one.
            last += hello.events
            for index in kept.indices { kept[index].number += hello.events }
        }
        isNew = false
        var state: LiveState?
        for case .state(let now) in kept.map(\.event) { state = now }
        client.send(
            welcome: Wire.welcome(
                session: session, mode: mode, events: last, block: block, state: state, notes: notes()),
            block: block)
        for kept in kept where kept.number > hello.events { client.send(kept.event.text(number: kept.number)) }
    }

    func left(_ client: LiveConnection) {
        if self.client === client { self.client = nil }
    }

    /// Says which blocks were heard, as often as the client wants to know.
    func heard(before block: UInt32) {
        guard let client, block >= acked, block - acked >= acks else { return }
        acked = block
        client.send(heardBefore: block)
    }

    func level(_ level: Double) {
        client?.sendIfQuick(Wire.level(level))
    }
}
