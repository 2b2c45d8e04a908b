import AudioFiles
import ExamCore
import Foundation
import NIOCore
import NIOWebSocket
import Testing

@testable import ExamNode
@testable import ExamServer

/// Reading and refusing messages, without a connection.
@Suite struct WireTests {
    private func read(_ text: String) -> Result<ClientMessage, CloseReason> {
        Result { () throws(CloseReason) in try ClientMessage(text.utf8) }
    }

    /// A client can send such a message before it has signed in. One of 513 bytes would end the process.
    @Test func aMessageThatIsNestedTooDeepIsRefused() {
        for text in [String(repeating: "[", count: 513), "{\"type\":" + String(repeating: "[", count: 512)] {
            #expect(throws: CloseReason.self) { try ClientMessage(text.utf8) }
        }
    }

    @Test func messagesAreReadAsTheyAreDocumented() {
        let messages: [(String, ClientMessage)] = [
            ("{\"type\":\"hello\",\"token\":\"t\"}", .hello(.init(token: "t"))),
            (
                "{\"type\":\"hello\",\"token\":\"t\",\"events\":3,\"blocks\":[5,9],\"acks\":1,\"levels\":true,\"more\":{}}",
                .hello(.init(token: "t", events: 3, blocks: 5..<9, acks: 1, levels: true))
            ),
            (
                "{\"type\":\"hello\",\"token\":\"t\",\"sound\":\"opus\",\"shows\":true}",
                .hello(.init(token: "t", form: .opus, shows: true))
            ),
            ("{\"type\":\"shown\",\"event\":8,\"block\":315}", .happened(.shown(event: 8), before: 315)),
            ("{\"type\":\"began\",\"prompt\":4,\"block\":320}", .happened(.began(prompt: 4), before: 320)),
            ("{\"type\":\"played\",\"prompt\":4,\"block\":371}", .happened(.played(prompt: 4), before: 371)),
            ("{\"type\":\"recorded\",\"block\":440}", .happened(.recorded, before: 440)),
            ("{\"type\":\"played\",\"prompt\":4}", .happened(.played(prompt: 4), before: nil)),
            ("{\"type\":\"notPlayed\",\"prompt\":4,\"reason\":\"r\"}", .happened(.notPlayed(prompt: 4), before: nil)),
            ("{\"type\":\"ask\",\"for\":\"continue\"}", .happened(.ask(.continue), before: nil)),
            ("{\"type\":\"lost\",\"what\":\"microphone\"}", .happened(.lost, before: nil)),
            ("{\"type\":\"back\",\"what\":\"microphone\"}", .happened(.back, before: nil)),
            ("{\"type\":\"notes\",\"text\":\"ä\"}", .notes("ä")),
            ("{\"type\":\"ping\",\"at\":1.25}", .ping(at: 1.25)),
            ("{\"type\":\"leave\"}", .leave),
        ]
        for (text, said) in messages { #expect(read(text) == .success(said)) }
    }

    @Test(arguments: [
        ("", 1007, "not-json"), ("{", 1007, "not-json"), ("{\"type\":\"ping\"}x", 1007, "not-json"),
        ("[]", 4400, "no-object"), ("5", 4400, "no-object"), ("{}", 4400, "missing-field"),
        ("{\"type\":5}", 4400, "wrong-field"), ("{\"type\":null}", 4400, "wrong-field"),
        ("{\"type\":\"sing\"}", 4400, "unknown-type"), ("{\"type\":\"hello\"}", 4400, "missing-field"),
        ("{\"type\":\"hello\",\"token\":\"t\",\"events\":-1}", 4400, "wrong-field"),
        ("{\"type\":\"hello\",\"token\":\"t\",\"events\":1e99}", 4400, "wrong-field"),
        ("{\"type\":\"hello\",\"token\":\"t\",\"blocks\":[1]}", 4400, "wrong-field"),
        ("{\"type\":\"hello\",\"token\":\"t\",\"blocks\":[2,1]}", 4400, "wrong-field"),
        ("{\"type\":\"hello\",\"token\":\"t\",\"blocks\":[-2,1]}", 4400, "wrong-field"),
        ("{\"type\":\"hello\",\"token\":\"t\",\"acks\":0}", 4400, "wrong-field"),
        ("{\"type\":\"hello\",\"token\":\"t\",\"acks\":251}", 4400, "wrong-field"),
        ("{\"type\":\"hello\",\"token\":\"t\",\"sound\":\"mp3\"}", 4400, "wrong-field"),
        ("{\"type\":\"shown\"}", 4400, "missing-field"), ("{\"type\":\"recorded\"}", 4400, "missing-field"),
        ("{\"type\":\"recorded\",\"block\":-1}", 4400, "wrong-field"),
        ("{\"type\":\"played\"}", 4400, "missing-field"),
        ("{\"type\":\"played\",\"prompt\":\"1\"}", 4400, "wrong-field"),
        ("{\"type\":\"played\",\"prompt\":1.5}", 4400, "wrong-field"),
        ("{\"type\":\"ask\",\"for\":\"money\"}", 4400, "wrong-field"), ("{\"type\":\"ask\"}", 4400, "missing-field"),
        ("{\"type\":\"lost\",\"what\":\"patience\"}", 4400, "wrong-field"),
        ("{\"type\":\"back\"}", 4400, "missing-field"),
        ("{\"type\":\"notes\",\"text\":7}", 4400, "wrong-field"),
        ("{\"type\":\"notes\",\"text\":\"" + String(repeating: "n", count: 4_001) + "\"}", 4400, "notes-too-long"),
        ("{\"type\":\"ping\",\"at\":\"now\"}", 4400, "wrong-field"),
    ])
    func malformedMessagesAreNamed(_ text: String, _ code: Int, _ name: String) {
        guard case .failure(let closing) = read(text) else {
            Issue.record("was read: \(text)")
            return
        }
        #expect(Int(closing.code.rawValue) == code)
        #expect(closing.name == name)
        #expect(closing.detail.hasSuffix("."))
    }

    @Test func soundIsWholeBlocks() throws {
        func read(_ bytes: [UInt8]) -> Result<SoundMessage, CloseReason> {
            Result { () throws(CloseReason) in try SoundMessage(bytes) }
        }
        let message = try read([7, 1, 0, 0] + [0, 128] + [UInt8](repeating: 0, count: 2 * 640 - 2)).get()
        #expect(message.first == 263)
        #expect(message.count == 2)
        #expect(message.block(0, nil).samples.prefix(2) == [-1, 0])
        #expect(message.block(1, nil) == .silence)
        for count in [0, 3, 4, 5, 643, 645, 4 + 51 * 640] {
            guard case .failure(let closing) = read([UInt8](repeating: 0, count: count)) else {
                Issue.record("\(count) bytes were read")
                continue
            }
            #expect(closing.code == .malformed)
        }
        // The most blocks that a message may have, and a number beyond all exams.
        #expect(try read([UInt8](repeating: 0, count: 4 + 50 * 640)).get().count == 50)
        guard case .failure = read([255, 255, 255, 255] + [UInt8](repeating: 0, count: 640)) else {
            Issue.record("was read")
            return
        }
    }

    @Test func fragmentsArePutTogether() throws {
        var assembly = MessageAssembly()
        func frame(_ opcode: WebSocketOpcode, _ text: String, fin: Bool = true) -> WebSocketFrame {
            let key: WebSocketMaskingKey = [1, 2, 3, 4]
            var data = ByteBuffer(string: text)
            data.webSocketMask(key)
            return WebSocketFrame(fin: fin, opcode: opcode, maskKey: key, data: data)
        }
        #expect(try assembly.take(frame(.text, "{\"type\"", fin: false)) == nil)
        #expect(try assembly.take(frame(.ping, "between")) == .ping(ByteBuffer(string: "between")))
        #expect(try assembly.take(frame(.continuation, ":1", fin: false)) == nil)
        #expect(try assembly.take(frame(.continuation, "}")) == .text("{\"type\":1}"))
        #expect(throws: CloseReason(code: .badFrame)) { try assembly.take(frame(.continuation, "")) }
        _ = try assembly.take(frame(.binary, "a", fin: false))
        #expect(throws: CloseReason(code: .badFrame)) { try assembly.take(frame(.text, "b")) }
        var long = MessageAssembly()
        _ = try long.take(frame(.text, String(repeating: "x", count: 16_000), fin: false))
        #expect(throws: CloseReason(code: .tooLong)) {
            try long.take(frame(.continuation, String(repeating: "x", count: 400)))
        }
    }

    @Test func noBytesAreTooMuchForTheReaders() {
        var chance = SplitMix64(seed: 1)
        var assembly = MessageAssembly()
        let opcodes: [WebSocketOpcode] = [.text, .binary, .continuation, .ping, .pong, .connectionClose]
        var read = 0
        for _ in 0..<100_000 {
            let text = Array(BrokenFrames.messages.randomElement(using: &chance)!.utf8)
            let bytes = BrokenFrames.mutate(text, &chance)
            if (try? ClientMessage(bytes)) != nil { read += 1 }
            _ = try? SoundMessage(bytes)
            let frame = WebSocketFrame(
                fin: Bool.random(using: &chance), opcode: opcodes.randomElement(using: &chance)!,
                maskKey: WebSocketMaskingKey([1, 2, 3, UInt8.random(in: 0...255, using: &chance)])!,
                data: ByteBuffer(bytes: bytes))
            if (try? assembly.take(frame)) == nil && Bool.random(using: &chance) { assembly = MessageAssembly() }
        }
        #expect(read > 0 && read < 100_000)
    }

    @Test func paceIsRealTimeAndTwoSeconds() {
        var pace = Pace()
        var now = Duration.seconds(100)
        #expect(pace.count(.seconds(2), at: now) == .zero)
        #expect(pace.count(.milliseconds(100), at: now) == .milliseconds(100))
        now += .milliseconds(200)
        #expect(pace.count(.milliseconds(100), at: now) == .zero)
        // Sound that was delayed by a minute may come all at once, but not an hour's.
        now += .seconds(60)
        #expect(pace.count(.seconds(60), at: now) == .zero)
        #expect(pace.count(.milliseconds(20), at: now) == .milliseconds(20))
        now += .seconds(3_600)
        #expect(pace.count(.seconds(73), at: now) == .seconds(1))
    }
}
