import Foundation
import SystemSupport
import Waiting

@testable import ExamNode
@testable import ExamServer

/// A client that sends the messages of a test, and looks for the expected ones.
final class TalkingClient: @unchecked Sendable {
    let socket: TestSocket
    private(set) var block: UInt32 = 0
    /// The messages so far, without levels.
    private(set) var messages: [[String: Any]] = []
    /// The code with which the server closed. Nil if it didn't.
    private var lastCode: UInt16?

    /// A refusal in place of a welcome.
    struct Refused: Error {
        var code: UInt16
    }

    /// Says hello, and waits for the welcome.
    init(_ made: LiveExams.Made, port: Int, receiveBuffer: Int32? = nil) throws {
        socket = try TestSocket(port: port, receiveBuffer: receiveBuffer)
        socket.say("{\"type\":\"hello\",\"token\":\"\(made.token.text)\",\"acks\":1}")
        guard let welcome = try message(within: Patience.seconds, { $0["type"] as? String == "welcome" }) else {
            throw Refused(code: lastCode ?? 1006)
        }
        block = UInt32(welcome["block"] as! Int)
    }

    /// Returns the code with which a hello is refused, and the address of another server, if the refusal names one.
    static func refusal(_ made: LiveExams.Made, port: Int) throws -> (UInt16, String?) {
        let socket = try TestSocket(port: port)
        socket.say("{\"type\":\"hello\",\"token\":\"\(made.token.text)\"}")
        var url: String?
        while true {
            switch try socket.hear() {
            case .text(let text): if let there = try Self.object(text)["url"] as? String { url = there }
            case .closed(let code): return (code, url)
            case .ping, .pong: break
            case nil: throw TestSocket.Broken(what: "neither welcome nor refused")
            }
        }
    }

    /// Sends this many blocks of silence.
    func beSilent(_ blocks: Int) {
        socket.say([UInt8](repeating: 0, count: blocks * 640), from: block)
        block += UInt32(blocks)
    }

    /// Skips this many blocks, which are never sent.
    func lose(_ blocks: Int) { block += UInt32(blocks) }

    /// Returns the next message that matches. Nil if none comes in time, or the connection ends.
    func message(within seconds: Double = Patience.seconds, _ isSuch: ([String: Any]) -> Bool) throws -> [String: Any]?
    {
        let deadline = SteadyClock.now + .seconds(seconds)
        while SteadyClock.now < deadline {
            let heard = try socket.hear(within: seconds)
            if case .closed(let code)? = heard { lastCode = code }
            guard case .text(let text)? = heard else { return nil }
            let message = try Self.object(text)
            if message["type"] as? String != "level" { messages.append(message) }
            if isSuch(message) { return message }
        }
        return nil
    }

    func state(within seconds: Double = Patience.seconds, _ isSuch: ([String: Any]) -> Bool) throws -> [String: Any]? {
        try message(within: seconds) { $0["type"] as? String == "state" && isSuch($0) }
    }

    /// Returns the code with which the server closes. Nil if it doesn't.
    func closing(within seconds: Double = Patience.seconds) throws -> UInt16? {
        let deadline = SteadyClock.now + .seconds(seconds)
        while SteadyClock.now < deadline {
            if case .closed(let code)? = try socket.hear(within: seconds) { return code }
        }
        return nil
    }

    private static func object(_ text: String) throws -> [String: Any] {
        try JSONSerialization.jsonObject(with: Data(text.utf8)) as! [String: Any]
    }
}
