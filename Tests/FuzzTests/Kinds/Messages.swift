@testable import ExamNode
@testable import ExamServer

/// A client's JSON messages over a WebSocket.
struct Messages: FuzzKind {
    static let name = "messages"
    static let share = 170_000

    func attempt(_ chance: inout Chance) async throws {
        do throws(CloseReason) {
            _ = try ClientMessage(Self.message(&chance))
        } catch {
            try demand([.malformed, .notText].contains(error.code), "refused with \(error.code)")
            try demand(Wire.error(error) != nil, "the refusal has no message")
        }
    }

    static func message(_ chance: inout Chance) -> [UInt8] { chance.one(of: all).spoiled(&chance) }

    static let all: [JSON] = [
        [
            "type": "hello", "token": "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopq", "events": .word("12"),
            "blocks": [.word("100"), .word("250")], "acks": .word("25"), "levels": .word("true"),
            "sound": "opus", "shows": .word("true"),
        ],
        ["type": "shown", "event": .word("8"), "block": .word("250")],
        ["type": "began", "prompt": .word("7"), "block": .word("250")],
        ["type": "recorded", "block": .word("300")],
        ["type": "played", "prompt": .word("7")], ["type": "notPlayed", "prompt": .word("7")],
        ["type": "ask", "for": "repeat"], ["type": "ask", "for": "finish"], ["type": "ask", "for": "continue"],
        ["type": "lost", "what": "microphone"], ["type": "back", "what": "microphone"],
        ["type": "notes", "text": "a bridge, a river, my grandfather"], ["type": "ping", "at": .word("1.5")],
        ["type": "leave"],
    ]
}
