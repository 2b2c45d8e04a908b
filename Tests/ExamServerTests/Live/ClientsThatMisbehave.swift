import ExamCore
import ExamKit
import Foundation
import Glibc
import StoreTrials
import SystemSupport
import TestSupport
import Testing
import Waiting

@testable import ExamKit
@testable import ExamNode
@testable import ExamServer
@testable import SessionFolders

/// Clients that stall, don't read, break the protocol, or have no valid token.
@Suite(.bothStores(quick: .sqlite)) struct ClientsThatMisbehave {
    private static func made(_ node: TestNode) async throws -> LiveExams.Made {
        try await node.make(ScenariosOverWebSocket.sitting(try ScenariosOverWebSocket.scenario("pocket-exam")))
    }

    @Test func aStalledClientsExamIsPausedAndGoesOn() async throws {
        var times = LiveTimes()
        times.longestSilence = .seconds(1)
        let node = try await TestNode(TestBackend(), times: times)
        let made = try await Self.made(node)
        let (trouble, waited, activity) = try await onThread {
            let client = try TalkingClient(made, port: node.port)
            let began = SteadyClock.now
            client.beSilent(10)
            // The line is fine, only the microphone is silent. The pause is part of the fault.
            Thread.sleep(forTimeInterval: 0.5)
            client.socket.say("{\"type\":\"ping\"}")
            let paused = try client.state { $0["activity"] as? String == "suspended" }
            let waited = SteadyClock.now - began
            client.beSilent(1)
            let gone = try client.state { $0["activity"] as? String != "suspended" }
            return (paused?["trouble"] as? String, waited, gone?["activity"] as? String)
        }
        #expect(trouble == "microphoneStalled")
        #expect(waited >= times.longestSilence)
        #expect(activity == "examinerSpeaking")
        try await node.stop()
    }

    @Test func blocksThatNeverCameAreLostSound() async throws {
        let node = try await TestNode(TestBackend())
        let made = try await Self.made(node)
        let (trouble, lost) = try await onThread {
            let client = try TalkingClient(made, port: node.port)
            // The examiner's line is played to its end, so that an answer is open.
            let play = try client.message { $0["type"] as? String == "play" }!
            client.beSilent(10)
            client.socket.say("{\"type\":\"played\",\"prompt\":\(play["prompt"]!)}")
            _ = try client.state { $0["recording"] as? Bool == true }
            client.lose(50)
            client.beSilent(1)
            client.lose(150)
            client.beSilent(1)
            return (
                try client.state { $0["activity"] as? String == "suspended" }?["trouble"] as? String,
                node.exams.services.metrics.value(.lostBlocks)
            )
        }
        #expect(trouble == "soundLost")
        #expect(lost == 200)
        let folder = SessionRestore.path(of: made.session, in: node.exams.settings)
        let log = try SessionLog.lines(of: folder + "/log.jsonl")
        #expect(log.contains { $0.contains("\"event\":\"soundLost 1.000\"") })
        try await node.stop()
    }

    /// The number of lost blocks is only the client's claim, which may be four thousand million.
    @Test func aGapCountsForTenSecondsAtMost() async throws {
        let node = try await TestNode(TestBackend())
        let made = try await Self.made(node)
        let lost = try await onThread {
            let client = try TalkingClient(made, port: node.port)
            client.beSilent(10)
            client.lose(4_000_000_000)
            client.beSilent(1)
            _ = try client.state { $0["activity"] as? String == "suspended" }
            return node.exams.services.metrics.value(.lostBlocks)
        }
        #expect(lost == 500)
        try await node.stop()
    }

    /// While the server stores the exam on disk, a client that comes back waits, or is told to come again.
    @Test func aClientThatLeavesAndReturnsAtOnceIsLetIn() async throws {
        let node = try await TestNode(TestBackend())
        let made = try await Self.made(node)
        let (welcomes, refusals) = try await onThread {
            var refusals: [UInt16] = []
            var welcomes = 0
            for turn in 0..<20 {
                // A client that is told to come again does so. How often depends on the disk.
                let welcome = try Patience.poll { () throws -> TalkingClient? in
                    do {
                        return try TalkingClient(made, port: node.port)
                    } catch let refused as TalkingClient.Refused {
                        refusals.append(refused.code)
                        return nil
                    }
                }
                guard let client = welcome else { break }
                welcomes += 1
                client.beSilent(5)
                client.socket.say("{\"type\":\"leave\"}")
                if turn % 2 == 0 { _ = try client.closing() }
                // At another moment of storing the exam each time.
                usleep(UInt32(turn % 5) * 20_000)
            }
            return (welcomes, refusals)
        }
        #expect(welcomes == 20)
        #expect(refusals.allSatisfy { $0 == 4421 }, "\(refusals)")
        try await node.stop()
    }

    @Test func aFloodingClientReadsWhyItWasCutOff() async throws {
        let node = try await TestNode(TestBackend()) { $0.anyPace = false }
        let made = try await Self.made(node)
        let (isHeard, codes) = try await onThread {
            let client = try TalkingClient(made, port: node.port)
            let pings = [UInt8](
                (0..<100).flatMap { _ in TestSocket.bytes(1, Array("{\"type\":\"ping\",\"at\":1}".utf8)) })
            // Longer than the two seconds for which the server waits for an answer to its close.
            let end = SteadyClock.now + .seconds(4)
            var isHeard = true
            while isHeard, SteadyClock.now < end { isHeard = client.socket.write(pings) }
            return (isHeard, try client.closing())
        }
        #expect(isHeard, "the connection was reset")
        #expect(codes == 4429)
        try await node.stop()
    }

    @Test func aPromptThatIsNeverReportedEndsByItsLength() async throws {
        let node = try await TestNode(TestBackend())
        let made = try await Self.made(node)
        let (blocks, activity) = try await onThread {
            let client = try TalkingClient(made, port: node.port)
            let play = try client.message { $0["type"] as? String == "play" }!
            // The clip's length, and five seconds.
            let blocks = Int(((play["seconds"] as! Double) + 5) * 50) + 1
            for _ in 0..<blocks { client.beSilent(1) }
            _ = try client.message { $0["type"] as? String == "stop" }
            return (
                blocks, try client.state { $0["activity"] as? String != "examinerSpeaking" }?["activity"] as? String
            )
        }
        #expect(blocks > 250)
        #expect(activity == "waitingForSpeech")
        try await node.stop()
    }

    @Test func aClientThatDoesNotReadIsHungUpOn() async throws {
        let node = try await TestNode(TestBackend())
        let made = try await Self.made(node)
        let before = residentBytes()
        let (written, isClosed) = try await onThread {
            let client = try TalkingClient(made, port: node.port, receiveBuffer: 4_096)
            // Each ping is answered with 127 bytes, until the buffers of the kernel and of the server are full.
            let pings = [UInt8]((0..<100).flatMap { _ in TestSocket.bytes(9, [UInt8](repeating: 7, count: 125)) })
            var written = 0
            while written < 64 << 20, client.socket.write(pings) { written += pings.count }
            var isClosed = written < 64 << 20
            while !isClosed, let heard = try client.socket.hear() {
                if case .closed = heard { isClosed = true }
            }
            return (written, isClosed)
        }
        #expect(isClosed)
        #expect(written < 64 << 20)
        #expect(residentBytes() - before < 64 << 20)
        // The exam still exists.
        let client = try await onThread { try TalkingClient(made, port: node.port) }
        withExtendedLifetime(client) {}
        try await node.stop()
    }

    @Test func aThrottledClientIsNotLostButASilentOneIs() async throws {
        var times = LiveTimes()
        times.clientSilence = .milliseconds(400)
        let node = try await TestNode(TestBackend(), times: times) { $0.anyPace = false }
        let made = try await Self.made(node)
        let (code, waited) = try await onThread {
            let client = try TalkingClient(made, port: node.port)
            let began = SteadyClock.now
            // Six seconds of sound at once are four too many. The server doesn't read for that long.
            for _ in 0..<6 { client.beSilent(50) }
            return (try client.closing(), SteadyClock.now - began)
        }
        #expect(code == 4408)
        #expect(waited > .seconds(4))
        try await node.stop()
    }

    /// A client sends nothing for a while. Its line may be lost while it keeps recording.
    @Test(arguments: [false, true])
    func aLostLineIsWaitedForUnlessTheFormatForbidsIt(_ isForbidden: Bool) async throws {
        var times = LiveTimes()
        times.longestSilence = .milliseconds(500)
        let node = try await TestNode(TestBackend(), times: times)
        let scenario = try ScenariosOverWebSocket.scenario("pocket-exam")
        var format = scenario.format
        format.lostLineEndsAnswer = isForbidden
        let made = try await node.make(ScenariosOverWebSocket.sitting(scenario, format: format))
        let isSuspended = try await onThread {
            let client = try TalkingClient(made, port: node.port)
            client.beSilent(10)
            // A missing event can only be awaited for a limited time: four times as long as it would take.
            return try client.state(within: isForbidden ? Patience.seconds : 2) {
                $0["trouble"] as? String == "microphoneStalled"
            } != nil
        }
        #expect(isSuspended == isForbidden)
        try await node.stop()
    }

    @Test func theNewestConnectionWins() async throws {
        let node = try await TestNode(TestBackend())
        let made = try await Self.made(node)
        let code = try await onThread {
            let first = try TalkingClient(made, port: node.port)
            let second = try TalkingClient(made, port: node.port)
            second.beSilent(1)
            return try first.closing()
        }
        #expect(code == 4409)
        try await node.stop()
    }

    @Test func clientsWithoutAValidHelloAreRefused() async throws {
        let node = try await TestNode(TestBackend()) { $0.limits.liveConnections = 1 }
        let made = try await Self.made(node)
        let token = made.token.text
        let codes = try await onThread {
            func code(_ say: (TestSocket) -> Void) throws -> UInt16? {
                let socket = try TestSocket(port: node.port)
                say(socket)
                while let heard = try socket.hear() { if case .closed(let code) = heard { return code } }
                return nil
            }
            return [
                try code { _ in },
                try code { $0.say("{\"type\":\"hello\",\"token\":\"\(String(token.reversed()))\"}") },
                try code { $0.say("{\"type\":\"hello\",\"token\":\"short\"}") },
                try code { $0.say([UInt8](repeating: 0, count: 640), from: 0) },
                try code { $0.say("{\"type\":\"played\",\"prompt\":1}") },
                try code { $0.frame(1, Array("{}".utf8), masked: false) },
                try code { $0.frame(1, Array("{}".utf8), reserved: 4) },
                try code { $0.frame(3, []) },
                try code { $0.frame(1, [0xFF, 0xFE]) },
                try code { $0.say("[]") },
                try code { $0.say("{") },
                try code { $0.say("{\"type\":\"sing\"}") },
                try code { $0.frame(1, [UInt8](repeating: 32, count: 20_000)) },
                try code { $0.write([0x82, 0xFF, 0, 0, 1, 0, 0, 0, 0, 0, 1, 2, 3, 4]) },  // A frame of a TiB.
            ]
        }
        #expect(codes == [4401, 4401, 4401, 4401, 4401, 1002, 1002, 1002, 1007, 4400, 1007, 4400, 1009, 1009])
        let other = try await Self.made(node)
        let (second, first) = try await onThread {
            let client = try TalkingClient(made, port: node.port)
            let second = try TalkingClient.refusal(other, port: node.port).0
            // A client that was replaced doesn't count.
            let next = try TalkingClient(made, port: node.port)
            defer { next.socket.cut() }
            return (second, try client.closing())
        }
        #expect(second == 4429 && first == 4409)
        try await node.stop()
    }

    @Test func anotherPagesOriginIsNotUpgraded() async throws {
        let node = try await TestNode(TestBackend()) { $0.allowedOrigins = ["https://exams.example.org"] }
        let answers = try await onThread {
            let sockets: [() throws -> TestSocket] = [
                { try TestSocket(port: node.port) },
                { try TestSocket(port: node.port, headers: ["Origin: http://127.0.0.1:\(node.port)"]) },
                { try TestSocket(port: node.port, headers: ["Origin: https://exams.example.org"]) },
                { try TestSocket(port: node.port, headers: ["Origin: https://elsewhere.example.org"]) },
                { try TestSocket(port: node.port, headers: ["Origin: null"]) },
                { try TestSocket(port: node.port, subprotocol: "oracy.live.2") },
                { try TestSocket(port: node.port, path: "/v1/other") },
            ]
            return sockets.map { open in (try? open())?.answer.split(separator: " ")[1] ?? "none" }
        }
        #expect(answers == ["101", "101", "101", "426", "426", "426", "404"])
        try await node.stop()
    }

    /// The server reads no frames after the first one that breaks the connection, so each connection begins with
    /// another frame.
    @Test func thousandsOfBrokenFramesDisturbNoExam() async throws {
        let node = try await TestNode(TestBackend())
        let scenario = try ScenariosOverWebSocket.scenario("pocket-exam")
        let made = try await node.make(ScenariosOverWebSocket.sitting(scenario))
        let victim = try await Self.made(node)
        let client = try ReplayClient(made, scenario, port: node.port)
        let before = residentBytes()
        async let sat: Void = onThread { try client.sit() }
        async let sent = withThrowingTaskGroup(of: Int.self) { group in
            for seed in 1...3 {
                group.addTask { try await onThread { try Self.attack(victim, node.port, seed: UInt64(seed)) } }
            }
            return try await group.reduce(0, +)
        }
        #expect(try await sent >= Self.brokenFrames)
        try await sat
        #expect(try await node.log(of: made.session) == (try SessionLog.lines(of: scenario.expectedLog)))
        #expect(client.connections == 1)
        #expect(residentBytes() - before < 128 << 20)
        // The exam at which they were aimed is not disturbed either.
        let after = try await onThread { try TalkingClient(victim, port: node.port) }
        withExtendedLifetime(after) {}
        try await node.stop()
    }

    private static let brokenFrames = Thoroughness.count(12_000, check: 102_000)

    private static func attack(_ victim: LiveExams.Made, _ port: Int, seed: UInt64) throws -> Int {
        var chance = SplitMix64(seed: seed)
        let hello = "{\"type\":\"hello\",\"token\":\"\(victim.token.text)\",\"acks\":1}"
        var sent = 0
        while sent < Self.brokenFrames / 3 {
            let socket = try TestSocket(port: port)
            var burst: [UInt8] = []
            if Bool.random(using: &chance) { burst += TestSocket.bytes(1, Array(hello.utf8)) }
            for _ in 0..<200 { burst += BrokenFrames.frame(&chance) }
            sent += 200
            socket.write(burst)
            var isClosed = false
            while !isClosed, let heard = try socket.hear() { if case .closed = heard { isClosed = true } }
            socket.cut()
        }
        return sent
    }

    private func residentBytes() -> Int {
        let statm = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        return (Int(statm.split(separator: " ").dropFirst().first ?? "0") ?? 0) * 4_096
    }
}

/// Frames that are nearly valid: valid ones with some bytes changed, cut or doubled, and noise.
enum BrokenFrames {
    static let messages = [
        "{\"type\":\"hello\",\"token\":\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\",\"events\":1,\"blocks\":[0,5],\"acks\":2}",
        "{\"type\":\"played\",\"prompt\":3}", "{\"type\":\"notPlayed\",\"prompt\":3,\"reason\":\"x\"}",
        "{\"type\":\"ask\",\"for\":\"repeat\"}", "{\"type\":\"lost\",\"what\":\"microphone\"}",
        "{\"type\":\"back\",\"what\":\"microphone\"}", "{\"type\":\"notes\",\"text\":\"a b\"}",
        "{\"type\":\"ping\",\"at\":1.5}",
    ]

    static func mutate(_ bytes: [UInt8], _ chance: inout SplitMix64) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &chance) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &chance)
            switch Int.random(in: 0..<4, using: &chance) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &chance)
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(UInt8.random(in: 0...255, using: &chance), at: place)
            default: bytes.removeSubrange(place...)
            }
        }
        return bytes
    }

    static func frame(_ chance: inout SplitMix64) -> [UInt8] {
        let text = Array(messages.randomElement(using: &chance)!.utf8)
        switch Int.random(in: 0..<8, using: &chance) {
        case 0:
            return (0..<Int.random(in: 1...40, using: &chance)).map { _ in UInt8.random(in: 0...255, using: &chance) }
        case 1: return mutate(TestSocket.bytes(1, text), &chance)
        case 2:
            return TestSocket.bytes(UInt8.random(in: 0...15, using: &chance), text, fin: Bool.random(using: &chance))
        case 3:
            let length = Int.random(in: 0...2_000, using: &chance)
            return TestSocket.bytes(2, (0..<length).map { _ in UInt8.random(in: 0...255, using: &chance) })
        case 4: return TestSocket.bytes(1, text, masked: false)
        default: return TestSocket.bytes(1, mutate(text, &chance))
        }
    }
}
