package import ExamCore
package import Foundation
import SystemSupport

/// The JSON of the server's messages. See "Down" in PROTOCOL.md. `ClientMessage` and `SoundMessage` read the client's
/// messages. No other code knows the form of messages.
package enum Wire {
    /// The name of the subprotocol, which ends with the protocol's version.
    package static let subprotocol = "oracy.live.1"
    package static let version = 1
    /// The number of seconds without a message after which a client may consider the server lost. The server waits
    /// three times as long (`LiveTimes.clientSilence`).
    static let heartbeat = 5

    package static func heard(before block: UInt32) -> String { "{\"type\":\"heard\",\"block\":\(block)}" }

    /// Returns a level.
    ///
    /// - Parameter level: in dBFS.
    package static func level(_ level: Double) -> String {
        "{\"type\":\"level\",\"dbfs\":\((level * 10).rounded() / 10)}"
    }

    package static func pong(at: Double) -> String { text(Pong(at: at)) }

    package static func welcome(
        session: UUID, mode: ExamOptions.Mode, events: Int, block: UInt32, state: LiveState?, notes: String
    ) -> String {
        text(
            Welcome(
                session: session.name, mode: mode.rawValue, events: events, block: block,
                state: state,
                notes: notes.isEmpty ? nil : notes))
    }

    /// Returns the message sent before a connection is closed. Nil if the code says everything.
    package static func error(_ closing: CloseReason) -> String? {
        guard !closing.name.isEmpty else { return nil }
        return text(
            Fault(
                code: closing.name, title: closing.title, detail: closing.detail, retryAfter: closing.retryAfter,
                url: closing.url))
    }

    private struct Welcome: Encodable {
        var type = "welcome"
        var `protocol` = Wire.version
        var session: String
        var mode: String
        var events: Int
        var block: UInt32
        var heartbeat = Wire.heartbeat
        var state: LiveState?
        var notes: String?
    }

    private struct Pong: Encodable {
        var type = "pong"
        var at: Double
    }

    private struct Fault: Encodable {
        var type = "error"
        var code, title, detail: String
        var retryAfter: Int?
        var url: String?
    }

    struct Play: Encodable {
        var prompt: Int
        var what: LivePrompt

        enum Key: CodingKey { case prompt }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(prompt, forKey: .prompt)
            try what.encode(to: encoder)
        }
    }

    struct Stored: Encodable {
        var part, order, attempt: Int
        var seconds: Double?
    }

    /// The fields of an event, with its type and number.
    struct Numbered<Fields: Encodable>: Encodable {
        var type: String
        var n: Int
        var fields: Fields

        enum Key: CodingKey { case type, n }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(type, forKey: .type)
            try container.encode(n, forKey: .n)
            try fields.encode(to: encoder)
        }
    }

    package static func text(_ message: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Encoding fails only for numbers that are not finite, and all numbers in messages are finite.
        return (try? encoder.encode(message)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}
