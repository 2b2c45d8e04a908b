package import ExamCore
import Foundation
import SystemSupport

/// A message from a client. See "Up" in PROTOCOL.md.
package enum ClientMessage: Equatable, Sendable {
    case hello(Hello)
    /// Something happened at the client before it recorded this block. Nil: before the next block that it sends.
    case happened(Happening, before: UInt32?)
    case notes(String)
    case ping(at: Double)
    case leave

    package enum Happening: Equatable, Sendable {
        /// The event with this number is on the screen, and its prompt has begun or will begin.
        case shown(event: Int)
        /// The prompt can be heard.
        case began(prompt: Int)
        case played(prompt: Int)
        case notPlayed(prompt: Int)
        case ask(Wish)
        /// The microphone is lost, or back.
        case lost
        case back
        /// No event: the message only reports the number of recorded blocks.
        case recorded
    }

    package struct Hello: Equatable, Sendable {
        package var token: String
        /// The number of the last event that the client has seen. 0 for none.
        package var events = 0
        /// The first block that can still be sent, and the next to be recorded.
        var blocks: Range<UInt32> = 0..<0
        /// The number of blocks between acknowledgements.
        var acks = 25
        /// Whether the client wants to be sent the level of its microphone.
        package var levels = false
        /// The form of its blocks.
        package var form = SoundMessage.Form.pcm
        /// Whether the client reports what it shows (`shown`, `began`).
        var shows = false

        /// Whether the client still has its sound. A reloaded page has lost its count and earlier sound.
        var hasSound: Bool { !blocks.isEmpty || blocks.lowerBound > 0 }
    }

    /// The kind that a message states.
    package enum Kind: String, CaseIterable {
        case hello, shown, began, played, notPlayed, ask, lost, back, recorded, notes, ping, leave
    }

    /// The maximum length of a card's notes. A minute's writing is about 200 characters.
    static let longestNotes = 4_000

    /// Reads a text message.
    ///
    /// - Throws: `notText` if it is not JSON, `malformed` if it breaks the protocol.
    package init(_ text: some Sequence<UInt8>) throws(CloseReason) {
        guard !JSONDepth.isTooDeep(text) else { throw Self.notJSON }
        do {
            self = try JSONDecoder().decode(Message.self, from: Data(text)).what
        } catch let closing as CloseReason {
            throw closing
        } catch let error as DecodingError {
            // For some numbers the decoder reports the same error as for invalid JSON.
            throw Self.closing(for: error, isJSON: (try? JSONSerialization.jsonObject(with: Data(text))) != nil)
        } catch {
            throw Self.notJSON
        }
    }

    private static let notJSON = CloseReason(
        code: .notText, name: "not-json", title: "The message cannot be read",
        detail: "A text message is one JSON object.")

    private static func wrong(_ field: any CodingKey) -> CloseReason {
        .malformed("wrong-field", "The field \"\(field.stringValue)\" holds something else than it should.")
    }

    private static func closing(for error: DecodingError, isJSON: Bool) -> CloseReason {
        switch error {
        case .keyNotFound(let key, _):
            .malformed("missing-field", "The message has no field \"\(key.stringValue)\".")
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            context.codingPath.first.map(wrong) ?? .malformed("no-object", "A text message is one JSON object.")
        case .dataCorrupted(let context) where !context.codingPath.isEmpty: wrong(context.codingPath[0])
        default: isJSON ? .malformed("wrong-field", "A field holds a number that it cannot hold.") : notJSON
        }
    }
}

private struct Message: Decodable {
    var what: ClientMessage

    enum Key: String, CodingKey {
        case type, token, events, blocks, acks, levels, sound, shows, event, prompt, `for`, what, block, text, at
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        guard let kind = ClientMessage.Kind(rawValue: try fields.decode(String.self, forKey: .type)) else {
            throw CloseReason.malformed("unknown-type", "There is no message of this type.")
        }
        switch kind {
        case .hello: what = .hello(try Self.hello(fields))
        case .shown: what = try Self.happened(.shown(event: fields.decode(Int.self, forKey: .event)), fields)
        case .began: what = try Self.happened(.began(prompt: Self.prompt(fields)), fields)
        case .played: what = try Self.happened(.played(prompt: Self.prompt(fields)), fields)
        case .notPlayed: what = try Self.happened(.notPlayed(prompt: Self.prompt(fields)), fields)
        case .ask: what = try Self.happened(.ask(fields.decode(Wish.self, forKey: .for)), fields)
        case .lost:
            try Self.checkMicrophone(fields)
            what = try Self.happened(.lost, fields)
        case .back:
            try Self.checkMicrophone(fields)
            what = try Self.happened(.back, fields)
        case .recorded: what = .happened(.recorded, before: try fields.decode(UInt32.self, forKey: .block))
        case .notes:
            let text = try fields.decode(String.self, forKey: .text)
            guard text.unicodeScalars.count <= ClientMessage.longestNotes else {
                throw CloseReason.malformed(
                    "notes-too-long", "Notes have at most \(ClientMessage.longestNotes) characters.")
            }
            what = .notes(text)
        case .ping:
            what = .ping(at: try fields.decodeIfPresent(Double.self, forKey: .at) ?? 0)
        case .leave: what = .leave
        }
    }

    private static func hello(_ fields: KeyedDecodingContainer<Key>) throws -> ClientMessage.Hello {
        var hello = ClientMessage.Hello(token: try fields.decode(String.self, forKey: .token))
        if let events = try fields.decodeIfPresent(Int.self, forKey: .events) {
            guard (0...Int(Int32.max)).contains(events) else {
                throw CloseReason.malformed("wrong-field", "\"events\" is the number of an event, or 0.")
            }
            hello.events = events
        }
        if let blocks = try fields.decodeIfPresent([UInt32].self, forKey: .blocks) {
            guard blocks.count == 2, blocks[0] <= blocks[1] else {
                throw CloseReason.malformed(
                    "wrong-field", "\"blocks\" are two numbers: the first block, and the next one.")
            }
            hello.blocks = blocks[0]..<blocks[1]
        }
        if let acks = try fields.decodeIfPresent(Int.self, forKey: .acks) {
            guard (1...250).contains(acks) else {
                throw CloseReason.malformed("wrong-field", "\"acks\" is a number from 1 to 250.")
            }
            hello.acks = acks
        }
        hello.levels = try fields.decodeIfPresent(Bool.self, forKey: .levels) ?? false
        if let sound = try fields.decodeIfPresent(String.self, forKey: .sound) {
            guard let form = SoundMessage.Form(rawValue: sound) else {
                throw CloseReason.malformed("wrong-field", "\"sound\" is \"pcm\" or \"opus\".")
            }
            hello.form = form
        }
        hello.shows = try fields.decodeIfPresent(Bool.self, forKey: .shows) ?? false
        return hello
    }

    private static func happened(_ what: ClientMessage.Happening, _ fields: KeyedDecodingContainer<Key>) throws
        -> ClientMessage
    {
        .happened(what, before: try fields.decodeIfPresent(UInt32.self, forKey: .block))
    }

    private static func prompt(_ fields: KeyedDecodingContainer<Key>) throws -> Int {
        try fields.decode(Int.self, forKey: .prompt)
    }

    private static func checkMicrophone(_ fields: KeyedDecodingContainer<Key>) throws {
        guard try fields.decode(String.self, forKey: .what) == "microphone" else {
            throw CloseReason.malformed("wrong-field", "\"what\" is \"microphone\".")
        }
    }
}
