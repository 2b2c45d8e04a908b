import AudioFiles
import ExamCore
import ExamKit
import Foundation
import NIOCore
import Synchronization
import SystemSupport
import TestSupport
import Testing

@testable import ExamKit
@testable import ExamNode
@testable import ExamServer
@testable import SessionFolders

/// Exams over lines of every kind, in a time that only counts blocks. Whatever the line does, each word lands in the
/// answer to the question that was on the screen when it was spoken.
@Suite struct SlowLines {
    private static let seeds = Thoroughness.count(8, check: 150)

    @Test(arguments: 0..<seeds)
    func everyWordLandsInTheAnswerToWhatWasOnTheScreen(seed: Int) async throws {
        let sitting = try await SlowLine.sitting()
        let line = try SlowLine(sitting, seed: UInt64(seed))
        let seen = try await line.sit()
        #expect(seen.outcome == .completed, "seed \(seed)")
        #expect(seen.misplaced.isEmpty, "seed \(seed): \(seen.misplaced.prefix(3))")
        #expect(seen.missing.isEmpty, "seed \(seed): \(seen.missing.prefix(3))")
        #expect(seen.words > 100, "seed \(seed): the candidate speaks in more than 100 blocks")
    }

    /// On a line that carries three quarters of the sound, the exam stands still between questions, and says why.
    @Test func aLineThatIsTooSlowIsWaitedFor() async throws {
        let sitting = try await SlowLine.sitting()
        let line = try SlowLine(sitting, seed: 1, rate: 24_000...24_000, delay: 2, breaks: false)
        let seen = try await line.sit()
        #expect(seen.outcome == .completed)
        #expect(seen.troubles == ["lineSlow"])
        #expect(seen.misplaced.isEmpty && seen.missing.isEmpty)
        // At most as much as an answer of a minute and its prompt can add, a quarter of their length.
        #expect(seen.longestLag < 20 * 50, "\(seen.longestLag / 50) s")
    }

    /// On a line that carries all of the sound, the exam never stands still.
    @Test func aGoodLineIsNotWaitedFor() async throws {
        let sitting = try await SlowLine.sitting()
        let line = try SlowLine(sitting, seed: 2, rate: 60_000...60_000, delay: 3, breaks: false)
        let seen = try await line.sit()
        #expect(seen.outcome == .completed && seen.troubles.isEmpty)
        #expect(seen.misplaced.isEmpty && seen.missing.isEmpty)
    }
}

/// A client like the page's, a candidate who speaks when the screen says so, and a line between them and the exam.
private final class SlowLine {
    struct Seen {
        var outcome: Exam.Outcome?
        /// Blocks of words that are in the answer to another question than the one on the screen. `missing` are those
        /// that are in no answer.
        var misplaced: [String] = []
        var missing: [String] = []
        var words = 0
        var troubles: Set<String> = []
        /// In blocks.
        var longestLag = 0
    }

    /// A message on its way.
    private struct Travelling<Content> {
        var content: Content
        var due: Int
    }

    private enum Up {
        case sound(first: UInt32, [Int16])
        case said(ClientMessage.Happening, before: UInt32)
        /// The bytes of the message on the line.
        var size: Int {
            switch self {
            case .sound(_, let samples): 4 + 2 * samples.count + 60
            case .said: 120
            }
        }
    }

    private let sitting: PreparedExam
    private var dice: SplitMix64
    private let speech: [Int16]
    private let rate: ClosedRange<Int>?
    private let delay: Int?
    private let breaks: Bool

    // The line.
    private var up: [Travelling<Up>] = []
    private var down: [Travelling<[String: Any]>] = []
    private var credit = 0
    private var bytesPerSecond = 0
    private var latency = 0
    private var deafUntil = 0

    // The client.
    private var now = 0
    private var isOpen = false
    private var blocks: [UInt32: [Int16]] = [:]
    private var next: UInt32 = 0
    private var cursor: UInt32 = 0
    private var heard: UInt32 = 0
    private var told: UInt32 = 0
    private var stillFrom: UInt32?
    private var standing: [(String, ClientMessage.Happening, UInt32)] = []
    private var events = 0
    private var playing: (prompt: Int, begins: Int, ends: Int, hasBegun: Bool)?

    // The candidate.
    private var turn: Int?
    private var speaksFrom = Int.max
    private var speaksUntil = 0
    private var bursts = 0
    private var spokenAt = 0
    private var onScreen: [UInt32: Int] = [:]
    private var lastState = ""

    /// The exam, prepared once, because its prompts are the same for all lines.
    private static let prepared = Task {
        let scenario = try ScenariosOverWebSocket.scenario("pocket-exam")
        // A time limit also ends answers, so the limit is longer than the test.
        var format = scenario.format
        format.hardCap = Seconds(.seconds(900))
        return try await ScenariosOverWebSocket.sitting(scenario, format: format)
    }

    static func sitting() async throws -> PreparedExam { try await prepared.value }

    init(
        _ sitting: PreparedExam, seed: UInt64, rate: ClosedRange<Int>? = nil, delay: Int? = nil, breaks: Bool = true
    ) throws {
        self.sitting = sitting
        (self.rate, self.delay, self.breaks) = (rate, delay, breaks)
        dice = SplitMix64(seed: seed)
        var speech: [Int16] = []
        let reader = try BlockReader(path: ScenariosOverWebSocket.folder + "/../answers/building-1.flac")
        while let block = try reader.next() { speech += block.samples.map { Int16(max(-1, min(1, $0)) * 32_767) } }
        self.speech = speech
    }

    func sit() async throws -> Seen {
        let place = try TemporaryFolder()
        let folder = try SessionFolder.create(at: place.path + "/exam")
        let inbox = Inbox<RoomItem>()
        let client = ClientSession(session: UUID(), mode: .practice, metrics: ServerMetrics(), notes: { "" })
        let room = BrowserRoom(inbox, client: client, metrics: ServerMetrics(), url: { "/" + $0 })
        let session = try Session(sitting, in: room, folder: folder, encoding: false)
        nonisolated(unsafe) let held = session
        let said = Said()
        let exam = Task { () async throws -> SessionResult in
            defer { said.end() }
            return try await held.run()
        }
        var connection = FakeConnection(said)
        inbox.put(.joined(connection, hello))
        var seen = Seen()
        var tick = 0
        while !said.isOver {
            tick += 1
            try #require(tick < 50 * 3_000, "the exam does not end: \(lastState)")
            changeTheLine(at: tick)
            if breaks, dice.below(4_000) == 0 {
                // The connection is lost, and everything on its way with it.
                inbox.put(.left(connection))
                (up, down, isOpen) = ([], [], false)
                connection = FakeConnection(said)
                let away = 10 + dice.below(1_500)
                for _ in 0..<away {
                    tick += 1
                    live(at: tick, &seen)
                }
                inbox.put(.joined(connection, hello))
            }
            live(at: tick, &seen)
            send(at: tick)
            carry(to: inbox, over: connection, at: tick)
            inbox.put(.said(.ping(at: Double(tick)), by: connection))
            await said.pong(at: tick)
            for message in said.takeAll() {
                down.append(Travelling(content: message, due: max(tick + latency, down.last?.due ?? 0)))
            }
            // While the exam stands still, it doesn't want sound.
            if stillFrom == nil { seen.longestLag = max(seen.longestLag, Int(next - heard)) }
        }
        let result = try await exam.value
        seen.outcome = result.outcome
        try check(result, folder, &seen)
        return seen
    }

    private var hello: ClientMessage.Hello {
        var hello = ClientMessage.Hello(token: "", events: events, acks: 10)
        hello.blocks = (blocks.keys.min() ?? next)..<next
        hello.shows = true
        return hello
    }

    // MARK: The line

    private func changeTheLine(at tick: Int) {
        guard tick == 1 || dice.below(250) == 0 else { return }
        bytesPerSecond =
            rate.map { $0.lowerBound + dice.below($0.count) }
            ?? [8_000, 20_000, 30_000, 60_000, 400_000][dice.below(5)]
        latency = delay ?? [1, 3, 10, 40][dice.below(4)]
        if breaks, dice.below(6) == 0 { deafUntil = tick + dice.below(200) }
    }

    /// Hands the exam everything that the line lets through, in order.
    private func carry(to inbox: Inbox<RoomItem>, over connection: FakeConnection, at tick: Int) {
        guard tick >= deafUntil else { return }
        credit = min(credit + bytesPerSecond / 50, 100_000)
        while let first = up.first, first.due <= tick, first.content.size <= credit {
            up.removeFirst()
            credit -= first.content.size
            switch first.content {
            case .said(let what, let block): inbox.put(.said(.happened(what, before: block), by: connection))
            case .sound(let number, let samples):
                var bytes = ByteBuffer()
                bytes.writeInteger(number, endianness: .little)
                for sample in samples { bytes.writeInteger(sample, endianness: .little) }
                inbox.put(
                    .sound(
                        try! SoundMessage(Array(bytes.readableBytesView)), by: connection, at: .milliseconds(20 * tick))
                )
            }
        }
        if up.isEmpty { credit = 0 }
    }

    // MARK: The client, as the page's `Connection` and `Exam`

    /// Runs 20 ms of a client and its candidate.
    private func live(at tick: Int, _ seen: inout Seen) {
        now = tick
        while let first = down.first, first.due <= tick, tick >= deafUntil {
            down.removeFirst()
            hear(first.content, at: tick, &seen)
        }
        if var clip = playing {
            if tick >= clip.begins, !clip.hasBegun {
                clip.hasBegun = true
                playing = clip
                keep("prompt", .began(prompt: clip.prompt))
            }
            if tick >= clip.ends {
                playing = nil
                keep("prompt", .played(prompt: clip.prompt))
            }
        }
        record(at: tick, &seen)
    }

    private func hear(_ message: [String: Any], at tick: Int, _ seen: inout Seen) {
        if let number = message["n"] as? Int { events = number }
        switch message["type"] as? String {
        case "welcome":
            let block = UInt32(message["block"] as! Int)
            if block > next {
                next = block
                blocks = [:]
            }
            forget(before: block)
            cursor = max(block, blocks.keys.min() ?? next)
            (heard, told) = (cursor, cursor)
            events = max(events, message["events"] as! Int)
            isOpen = true
            if let state = message["state"] as? [String: Any] { show(state, number: events, at: tick, &seen) }
            for (_, what, before) in standing { say(what, before: before) }
        case "heard":
            heard = UInt32(message["block"] as! Int)
            forget(before: heard)
        case "state": show(message, number: events, at: tick, &seen)
        case "play":
            let begins = tick + dice.below(60)
            let length = Int((message["seconds"] as! Double / 0.02).rounded(.up))
            playing = (message["prompt"] as! Int, begins, begins + length, false)
        case "stop": playing = nil
        default: break
        }
    }

    private func show(_ state: [String: Any], number: Int, at tick: Int, _ seen: inout Seen) {
        let activity = state["activity"] as? String ?? ""
        lastState =
            "\(state), up \(up.count), next \(next), heard \(heard), cursor \(cursor), still \(String(describing: stillFrom))"
        let isTurn = ["waitingForSpeech", "speaking", "closing"].contains(activity)
        let shown = isTurn ? state["turn"] as? Int : nil
        if shown != turn {
            turn = shown
            speaksFrom = shown == nil ? .max : tick + 10 + dice.below(100)
            speaksUntil = speaksFrom == .max ? 0 : speaksFrom + 50 + dice.below(150)
            bursts = dice.below(3)
        }
        if let trouble = state["trouble"] as? String { seen.troubles.insert(trouble) }
        stillFrom = state["trouble"] as? String == "lineSlow" ? stillFrom ?? next : nil
        keep("shown", .shown(event: number))
    }

    private func keep(_ name: String, _ what: ClientMessage.Happening) {
        standing.removeAll { $0.0 == name }
        standing.append((name, what, next))
        say(what, before: next)
    }

    private func say(_ what: ClientMessage.Happening, before block: UInt32) {
        guard isOpen else { return }
        up.append(Travelling(content: .said(what, before: block), due: max(now + latency, up.last?.due ?? 0)))
    }

    private func forget(before block: UInt32) {
        for number in blocks.keys where number < block { blocks[number] = nil }
    }

    private func send(at tick: Int) {
        guard isOpen else { return }
        if let from = stillFrom, cursor >= from, heard + 10 > from {
            forget(before: next)
            (heard, cursor, stillFrom) = (next, next, nil)
        }
        while true {
            let waiting = Int(stillFrom ?? next) - Int(cursor)
            let room = Int(heard) + 100 - Int(cursor)
            guard waiting >= (stillFrom == nil ? 5 : 1), room >= 5 else { break }
            let count = min(waiting < 5 ? waiting : waiting - waiting % 5, room, 50)
            let samples = (0..<count).flatMap { blocks[cursor + UInt32($0)]! }
            up.append(
                Travelling(content: .sound(first: cursor, samples), due: max(tick + latency, up.last?.due ?? 0)))
            cursor += UInt32(count)
        }
        guard next - min(heard, next) >= 25, next - told >= 25 else { return }
        told = next
        say(.recorded, before: next)
    }

    // MARK: The candidate

    /// Records the next block: speech or silence, with the block's number in the last bits of its samples.
    private func record(at tick: Int, _ seen: inout Seen) {
        let isSpeaking = turn != nil && tick >= speaksFrom && tick < speaksUntil
        if turn != nil, tick >= speaksUntil, bursts > 0 {
            bursts -= 1
            speaksFrom = tick + 5 + dice.below(90)
            speaksUntil = speaksFrom + 20 + dice.below(100)
        }
        var samples = [Int16](repeating: 0, count: 320)
        if isSpeaking {
            for index in samples.indices { samples[index] = speech[(spokenAt + index) % speech.count] }
            spokenAt += 320
            onScreen[next] = turn
            seen.words += 1
        }
        for bit in 0..<32 { samples[bit] = (samples[bit] & ~1) | Int16((next >> UInt32(bit)) & 1) }
        blocks[next] = samples
        next += 1
    }

    // MARK: Checks

    private func check(_ result: SessionResult, _ folder: SessionFolder, _ seen: inout Seen) throws {
        var placed: [UInt32: Int] = [:]
        var timedOut: Set<Int> = []
        for take in result.takes {
            let turn = try #require(sitting.script.turns.firstIndex { $0.id == take.question })
            if take.record.end?.hasPrefix("timeUp") == true { timedOut.insert(turn) }
            let reader = try BlockReader(path: folder.path + "/" + take.file)
            while let block = try reader.next() {
                var number: UInt32 = 0
                for bit in 0..<32 {
                    let sample = Int((block.samples[bit] * 32_768).rounded())
                    number |= UInt32(sample & 1) << UInt32(bit)
                }
                placed[number] = turn
                if let spoken = onScreen[number], spoken != turn {
                    seen.misplaced.append("block \(number) of turn \(spoken) is in turn \(turn)")
                }
            }
        }
        // Words after the time limit are too late for the answer.
        for (number, turn) in onScreen where placed[number] == nil && !timedOut.contains(turn) {
            seen.missing.append("block \(number) of turn \(turn) is in no answer")
        }
    }
}

/// A connection whose other end is a test.
private final class FakeConnection: ClientConnection {
    let number = 0
    private let said: Said

    /// Messages of the exam to an earlier connection are lost from now on.
    init(_ said: Said) {
        self.said = said
        said.begin(self)
    }

    func send(_ text: String) { said.append(text, by: self) }
    func sendIfQuick(_ text: String) {}
    func send(welcome text: String, block: UInt32) { send(text) }
    func send(heardBefore block: UInt32) { send(Wire.heard(before: block)) }
    func close(_ reason: CloseReason) {}
}

/// All messages of an exam to its present connection, and the pong after which no more come for now.
private final class Said: Sendable {
    private struct State {
        var connection: ObjectIdentifier?
        var texts: [String] = []
        var awaited: (pong: String, waiter: CheckedContinuation<Void, Never>)?
        var isOver = false
    }

    private let state = Mutex(State())

    var isOver: Bool { state.withLock { $0.isOver } }

    /// Ends the wait for a pong, because the exam is over.
    func end() {
        let waiter = state.withLock { state in
            state.isOver = true
            defer { state.awaited = nil }
            return state.awaited?.waiter
        }
        waiter?.resume()
    }

    func begin(_ connection: FakeConnection) {
        state.withLock { state in
            state.connection = ObjectIdentifier(connection)
            state.texts = []
        }
    }

    func append(_ text: String, by connection: FakeConnection) {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.connection == ObjectIdentifier(connection) else { return nil }
            state.texts.append(text)
            guard state.awaited?.pong == text else { return nil }
            defer { state.awaited = nil }
            return state.awaited?.waiter
        }
        waiter?.resume()
    }

    /// Waits for the answer to a ping, or for the exam's end.
    func pong(at tick: Int) async {
        let pong = Wire.pong(at: Double(tick))
        await withCheckedContinuation { waiter in
            let isThere = state.withLock { state in
                if state.isOver || state.texts.contains(pong) { return true }
                state.awaited = (pong, waiter)
                return false
            }
            if isThere { waiter.resume() }
        }
    }

    /// Returns the messages since the last call, without pongs.
    func takeAll() -> [[String: Any]] {
        let all = state.withLock { state in
            defer { state.texts = [] }
            return state.texts
        }
        return all.compactMap { try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
            .filter { $0["type"] as? String != "pong" }
    }
}
