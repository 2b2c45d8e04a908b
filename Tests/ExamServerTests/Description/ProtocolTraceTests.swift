import Foundation
import StoreTrials
import Testing

@testable import ExamNode
@testable import ExamServer

/// The server holds the exam at the end of PROTOCOL.md with the same messages in the same order. Only their times may
/// differ.
@Suite(.bothStores) struct ProtocolTraceTests {
    @Test func theExamOfThePageIsTheServers() async throws {
        let trace = try await Self.trace()
        if ProcessInfo.processInfo.environment["ORACY_REWRITE"] != nil { try ProtocolPage().write(trace: trace) }
        let written = try ProtocolPage().trace
        #expect(written.count > 50)
        let (page, server) = (Self.order(written), Self.order(trace))
        let difference = zip(page, server).first { $0 != $1 }
        #expect(difference == nil && page.count == server.count, "\(String(describing: difference))")
        // Answers may be stored at any time, so only the set of them counts.
        #expect(Self.stored(written) == Self.stored(trace))
        #expect(Self.stored(trace).count == 5)
    }

    /// Sits the exam. Its line is cut in the second answer, in the middle of a message.
    private static func trace() async throws -> [String] {
        let node = try await TestNode(TestBackend())
        let scenario = try ScenariosOverWebSocket.scenario("pocket-exam")
        let made = try await node.make(ScenariosOverWebSocket.sitting(scenario))
        let client = try ReplayClient(made, scenario, port: node.port)
        let secrets = [(made.token.text, "n0Zr…"), (made.session.uuidString.lowercased(), "6f1c…")]
        client.before = { block, client in if block == 325 { client.breaksAfter = 300 } }
        var lines = TraceLines(secrets)
        client.noted = { block, line in lines.add(line, block) }
        let written = try await onThread { [client = UncheckedBox(client), box = UncheckedBox({ lines.lines })] in
            try client.value.sit()
            return box.value()
        }
        #expect(client.outcome == "completed" && client.connections == 2)
        try await node.stop()
        return written
    }

    /// Returns the trace without the parts that differ between runs.
    private static func order(_ trace: [String]) -> [String] {
        let timed = [
            "n", "prompt", "at", "seconds", "recordingSeconds", "preparationSeconds", "answerSeconds", "storing",
            "events",
            "block", "blocks",
        ]
        return trace.filter { !$0.contains("\"type\":\"stored\"") }.map { line in
            var words = String(line.drop { $0 == " " || $0.isNumber })
            guard let begin = words.firstIndex(of: "{"), var message = try? JSONValue(Array(words[begin...].utf8))
            else {
                return words
            }
            for name in timed {
                message[name] = nil
                if var state = message["state"] {
                    state[name] = nil
                    message["state"] = state
                }
            }
            words = words[..<begin] + TraceLines.text(message)
            return words
        }
    }

    private static func stored(_ trace: [String]) -> Set<String> {
        Set(
            trace.filter { $0.contains("\"type\":\"stored\"") }.compactMap { line in
                line.firstMatch(of: /"part":([0-9]+)/).map { part in
                    "\(part.1) \(line.firstMatch(of: /"order":([0-9]+)/)?.1 ?? "") \(line.firstMatch(of: /"attempt":([0-9]+)/)?.1 ?? "")"
                }
            })
    }
}

/// A value that only one thread at a time uses.
struct UncheckedBox<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}

/// The messages on the line, one on each line of text, as short as possible.
struct TraceLines {
    private(set) var lines: [String] = []
    private let secrets: [(String, String)]
    private var state: [String: JSONValue] = [:]

    init(_ secrets: [(String, String)]) { self.secrets = secrets }

    /// Adds a message.
    ///
    /// - Parameter block: The number of the client's next block.
    mutating func add(_ line: ReplayClient.Line, _ block: UInt32) {
        switch line {
        case .said(let text): append("▶ \(Self.text(Self.value(text)))", block)
        case .heard(let text):
            var message = Self.value(text)
            switch message["type"] {
            case "heard", "pong": return
            case "state": message = shortened(message)
            case "welcome":
                if let whole = message["state"] { message["state"] = shortened(whole) }
            default: break
            }
            append("◀ \(Self.text(message))", block)
        case .broke: append("✕ the line breaks in the middle of block \(block)", block)
        case .closed(let code): append("◀ closed with \(code)", block)
        }
    }

    private mutating func append(_ text: String, _ block: UInt32) {
        let plain = secrets.reduce(text) { $0.replacing($1.0, with: $1.1) }
        lines.append(String(repeating: " ", count: 4 - min(4, String(block).count)) + "\(block) \(plain)")
    }

    /// Returns only the fields that changed.
    private mutating func shortened(_ message: JSONValue) -> JSONValue {
        var short = message
        for (name, value) in message.fields where state[name] == value && !["type", "n"].contains(name) {
            short[name] = nil
        }
        state = message.fields
        return short
    }

    private static func value(_ text: String) -> JSONValue { (try? JSONValue(Array(text.utf8))) ?? .null }

    /// Returns a message as text: `type` first, then the other names in the order of the page.
    static func text(_ message: JSONValue) -> String {
        let first = [
            "type", "n", "protocol", "session", "mode", "stage", "activity", "part", "partTitle", "turn", "order",
            "text",
        ]
        func place(_ name: String) -> Int { first.firstIndex(of: name) ?? first.count }
        switch message {
        case .object(let fields):
            let names = fields.keys.sorted { (place($0), $0) < (place($1), $1) }
            return "{" + names.map { "\"\($0)\":\(text(fields[$0]!))" }.joined(separator: ",") + "}"
        case .array(let items): return "[" + items.map(text).joined(separator: ",") + "]"
        case .null, .bool, .number, .string:
            return String(decoding: message.bytes, as: UTF8.self).replacing("\\/", with: "/")
        }
    }
}
