import AudioFiles
import ExamKit
import Foundation
import SystemSupport
import Waiting

@testable import ExamCore
@testable import ExamKit
@testable import ExamNode
@testable import ExamServer

/// The candidate of a scenario at the other end of a WebSocket. It sends one block at a time, and waits for all effects
/// of each step before the next one, so the exam is the one that a replay holds.
final class ReplayClient: @unchecked Sendable {
    private var room: ReplayRoom
    private let scenario: Scenario
    private let sitting: PreparedExam
    private let prompts: [String: Prompt]
    private let token: String
    private var port: Int
    private var socket: TestSocket?

    /// Encodes blocks as packets. Nil if they are sent as samples.
    private let encoder: OpusPacketEncoder?
    /// All sent blocks, by number.
    private(set) var sent: [[UInt8]] = []
    private var block: UInt32 = 0
    /// Blocks that were sent and are not known to be heard.
    private var kept: [UInt32: [UInt8]] = [:]
    private var seen = 0
    private var playing: Int?
    private var wanted: UInt32 = 0
    private(set) var outcome: String?
    /// The exam's mode in the welcome.
    private(set) var mode: String?
    private(set) var stored: [String] = []
    /// The length of each stored answer, as first reported.
    private(set) var storedSeconds: [String: Double] = [:]
    private(set) var activity = ExamView.Activity.idle
    private(set) var connections = 0
    private(set) var closings: [UInt16] = []
    /// The number of bytes of the next block's frame, 652 in all, after which the connection is cut. Nil if it is not
    /// cut.
    var breaksAfter: Int?

    /// A message or an event on the line.
    enum Line: Equatable {
        case said(String)
        case heard(String)
        case broke
        case closed(UInt16)
    }

    /// Clips that this client cannot play, by id.
    var cannotPlay: Set<String> = []

    /// Called for everything on the line with the number of the next block, except for the pings by which this client
    /// waits.
    var noted: (UInt32, Line) -> Void = { _, _ in }

    /// The path of the server's WebSocket.
    var path = "/v1/live"
    /// Whether the client continues when a node says that it stops, as a candidate would: with the question that was
    /// not answered.
    var goesOnElsewhere = false
    /// The time without an exam, each time that the client continued.
    private(set) var pauses: [Duration] = []

    /// Called before each block with its number, so that a test can cause a fault.
    var before: (UInt32, ReplayClient) throws -> Void = { _, _ in }

    init(_ made: LiveExams.Made, _ scenario: Scenario, port: Int, form: SoundMessage.Form = .pcm) throws {
        self.scenario = scenario
        encoder = form == .opus ? try OpusPacketEncoder(bitRate: 32_000) : nil
        sitting = made.prepared
        room = try ReplayRoom(made.prepared, candidate: scenario.candidate, surroundings: scenario.surroundings)
        prompts = Dictionary(uniqueKeysWithValues: Set(made.prepared.recordings.values).map { ($0.clip.id, $0) })
        token = made.token.text
        self.port = port
    }

    /// Sits the exam to its end, or until the candidate does nothing more.
    func sit() throws {
        try connect()
        // After an exam stood still, a microphone that is always on sends silence.
        let silence = goesOnElsewhere ? Moment(at: .zero, .heard(.silence)) : nil
        while outcome == nil, let moment = try room.next() ?? silence {
            do {
                try live(moment)
            } catch is TestSocket.Broken where goesOnElsewhere && closings.last == 1001 {
                let left = SteadyClock.now
                closings.append(0)
                try beginTurnAgain()
                try connect()
                pauses.append(SteadyClock.now - left)
            }
        }
        if outcome != nil, case .closed(let code)? = try socket?.hear() { noted(block, .closed(code)) }
        socket?.cut()
    }

    private func live(_ moment: Moment) throws {
        switch moment.what {
        case .heard(let sound):
            try before(block, self)
            sent.append(bytes(of: sound))
            kept[block] = sent.last!
            block += 1
            try send()
        case .happened(.promptEnded):
            // The room ends a clip in its own time. By then the server's latest clip is the one that was played.
            guard let prompt = playing else { return }
            playing = nil
            try ask("{\"type\":\"played\",\"prompt\":\(prompt)}")
        case .happened(.deviceLost): try ask("{\"type\":\"lost\",\"what\":\"microphone\"}")
        case .happened(.deviceBack): try ask("{\"type\":\"back\",\"what\":\"microphone\"}")
        case .happened(.asked(let wish)): try ask("{\"type\":\"ask\",\"for\":\"\(wish.rawValue)\"}")
        case .happened(let event): fatalError("nothing that a client says: \(event)")
        }
    }

    private func bytes(of block: AudioBlock) -> [UInt8] {
        guard let encoder else { return Self.pcm(block) }
        var packet = [UInt8](repeating: 0, count: OpusPacketDecoder.longestPacket)
        let count = encoder.encode(block.samples, into: &packet)
        return [UInt8(count & 255), UInt8(count >> 8)] + packet[..<count]
    }

    static func pcm(_ block: AudioBlock) -> [UInt8] {
        var pcm = [Int16](repeating: 0, count: block.samples.count)
        block.samples.withUnsafeBufferPointer { samples in
            pcm.withUnsafeMutableBufferPointer { roundToPCM16(samples, $0) }
        }
        return pcm.withUnsafeBytes { Array($0) }
    }

    // MARK: Saying

    private func send() throws {
        if let bytes = breaksAfter {
            breaksAfter = nil
            let number = withUnsafeBytes(of: (block - 1).littleEndian) { Array($0) }
            socket?.write(Array(TestSocket.bytes(2, number + kept[block - 1]!).prefix(bytes)))
            socket?.cut()
            noted(block - 1, .broke)
            try connect()
        }
        for number in kept.keys.sorted() where number >= wanted { socket?.say(kept[number]!, from: number) }
        wanted = block
        while outcome == nil && kept.keys.contains(where: { $0 < block }) { try hear() }
    }

    /// Sends a ping, so that the server knows that the client is connected.
    func sayNothing() throws { try ask(nil) }

    private func ask(_ text: String?) throws {
        if let text {
            socket?.say(text)
            noted(block, .said(text))
        }
        socket?.say("{\"type\":\"ping\",\"at\":\(block)}")
        while outcome == nil {
            if try hear() == "pong" { return }
        }
    }

    // MARK: A connection

    /// Continues at another node, or at the same one after a while.
    func reconnect(to port: Int) throws {
        socket?.cut()
        self.port = port
        try connect()
    }

    /// Lets the candidate repeat their actions of this turn, because a repeated question is answered again.
    func beginTurnAgain() throws {
        room = try ReplayRoom(sitting, candidate: scenario.candidate, surroundings: scenario.surroundings)
        playing = nil
    }

    private func connect() throws {
        var failure: (any Error)?
        // The node that holds the exam may take a while to release it, and a new node to start.
        let isConnected = Patience.poll { () -> Bool? in
            do {
                try shakeHands()
                return true
            } catch {
                failure = error
                return nil
            }
        }
        if isConnected == nil, let failure { throw failure }
    }

    private func shakeHands() throws {
        let socket = try TestSocket(port: port, path: path)
        guard socket.isUpgraded else { throw TestSocket.Broken(what: socket.answer) }
        self.socket = socket
        connections += 1
        let first = kept.keys.min() ?? block
        let hello =
            "{\"type\":\"hello\",\"token\":\"\(token)\",\"events\":\(seen),\"blocks\":[\(first),\(block)],\"acks\":1"
            + (encoder == nil ? "}" : ",\"sound\":\"opus\"}")
        socket.say(hello)
        noted(block, .said(hello))
        // All earlier events are known before the client sends anything more.
        try ask(nil)
    }

    /// Reads a message.
    ///
    /// - Returns: Its type.
    @discardableResult
    private func hear() throws -> String {
        switch try socket?.hear() {
        case .text(let text):
            noted(block, .heard(text))
            return try take(text)
        case .closed(let code):
            closings.append(code)
            throw TestSocket.Broken(what: "closed with \(code)")
        case .ping, .pong: return ""
        case nil: throw TestSocket.Broken(what: "the server says nothing")
        }
    }

    private func take(_ text: String) throws -> String {
        guard let message = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any],
            let type = message["type"] as? String
        else { throw TestSocket.Broken(what: text) }
        if let number = message["n"] as? Int {
            if number <= seen { return type }
            seen = number
        }
        switch type {
        case "welcome":
            mode = message["mode"] as? String
            wanted = UInt32(message["block"] as! Int)
            kept = kept.filter { $0.key >= wanted }
            if let state = message["state"] as? [String: Any], message["events"] as? Int == seen { show(state) }
        case "heard":
            let block = UInt32(message["block"] as! Int)
            kept = kept.filter { $0.key >= block }
        case "play":
            let clip = (message["url"] as! String).split(separator: "/").last!.removingPercentEncoding!
            room.stopPlaying()
            if cannotPlay.contains(clip) {
                playing = nil
                socket?.say("{\"type\":\"notPlayed\",\"prompt\":\(message["prompt"]!),\"reason\":\"broken\"}")
            } else {
                playing = message["prompt"] as? Int
                room.play(prompts[clip]!)
            }
        case "stop":
            playing = nil
            room.stopPlaying()
        case "state": show(message)
        case "stored":
            let name = "part\(message["part"]!)_q\(message["order"]!)_a\(message["attempt"]!)"
            stored.append(name)
            storedSeconds[name] = storedSeconds[name] ?? (message["seconds"] as? Double)
        case "over": outcome = message["outcome"] as? String
        default: break
        }
        return type
    }

    private func show(_ state: [String: Any]) {
        var exam = ExamView(
            stage: ExamView.Stage(rawValue: state["stage"] as! String)!,
            activity: ExamView.Activity(rawValue: state["activity"] as! String)!)
        exam.turn = state["turn"] as? Int
        activity = exam.activity
        room.show(SessionView(at: .zero, exam: exam, storing: 0, problem: nil))
    }
}
