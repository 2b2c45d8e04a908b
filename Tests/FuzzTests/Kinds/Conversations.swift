import Foundation
import Waiting

@testable import ExamNode
@testable import ExamServer

/// Whole conversations with a held exam over a socket: a valid hello, and then anything.
struct Conversations: FuzzKind {
    static let name = "conversations"
    static let share = 1_000

    private let server: FuzzServer

    init(_ server: FuzzServer) {
        self.server = server
    }

    func attempt(_ chance: inout Chance) async throws {
        let (status, body) = try await server.ask("POST", "/v1/exams", ["consent": .word("true")])
        let made = try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
        guard status == 201, let token = (made?["live"] as? [String: Any])?["token"] as? String else {
            throw Wrong("no exam was made: \(status)")
        }
        let connections = 1 + (chance.once(in: 4) ? 1 : 0)
        for _ in 0..<connections {
            var said = Self.frame(1, Array(Self.hello(token, &chance).written.utf8))
            var number: UInt32 = 0
            for _ in 0..<(3 + chance.below(20)) { said += Self.next(&number, &chance) }
            if chance.once(in: 3) { said += Frames.frame(&chance) }
            if chance.once(in: 2) { said += Self.frame(8, [3, 232]) }
            let (all, isLast) = (said, chance.once(in: 3))
            try await onThread { [server] in try Self.talk(all, isLast: isLast, to: server.port) }
        }
    }

    private static func talk(_ said: [UInt8], isLast: Bool, to port: Int) throws {
        let socket = try RawSocket(port: port)
        socket.write(Array(handshake.utf8))
        let answer = socket.next(within: Patience.seconds) ?? []
        try demand(
            answer.starts(with: Array("HTTP/1.1 101".utf8)),
            "no handshake: \(String(decoding: answer, as: UTF8.self))")
        socket.write(said)
        if isLast { socket.endWriting() }
        try look(at: socket)
    }

    /// Reads until the connection is closed, or nothing more comes.
    private static func look(at socket: RawSocket) throws {
        var heard: [UInt8] = []
        while let piece = socket.next(within: 0.3), !piece.isEmpty, heard.count < 1 << 20 {
            heard += piece
            while let (opcode, data, length) = frame(in: heard) {
                heard.removeFirst(length)
                if opcode == 8, data.count >= 2 {
                    let code = UInt16(data[0]) << 8 | UInt16(data[1])
                    try demand(
                        CloseReason.Code(rawValue: code) != nil && code != CloseReason.Code.fault.rawValue,
                        "closed with \(code)")
                    return
                }
            }
        }
    }

    private static func frame(in bytes: [UInt8]) -> (opcode: UInt8, data: ArraySlice<UInt8>, length: Int)? {
        guard bytes.count >= 2 else { return nil }
        let short = Int(bytes[1] & 0x7f)
        let head = short == 126 ? 4 : short == 127 ? 10 : 2
        guard bytes.count >= head else { return nil }
        let size = head == 2 ? short : bytes[2..<head].reduce(0) { $0 << 8 | Int($1) }
        guard bytes.count >= head + size else { return nil }
        return (bytes[0] & 15, ArraySlice(Array(bytes[head..<(head + size)])), head + size)
    }

    // MARK: - Messages

    private static let handshake = """
        GET /v1/live HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: oracy.live.1\r\n\r\n
        """

    private static func hello(_ token: String, _ chance: inout Chance) -> JSON {
        var fields: [(name: String, value: JSON)] = [
            (name: "type", value: "hello"), (name: "token", value: .text(token)),
        ]
        for (name, values) in [
            ("events", ["0", "1", "2147483647"]), ("acks", ["1", "250"]), ("levels", ["true"]),
            ("blocks", ["[0,0]", "[4294967295,4294967295]", "[0,4294967295]", "[100,250]"]),
        ] where chance.once(in: 2) { fields.append((name: name, value: .word(chance.one(of: values)))) }
        return .object(fields)
    }

    private static func next(_ number: inout UInt32, _ chance: inout Chance) -> [UInt8] {
        guard chance.once(in: 3) else {
            if chance.once(in: 5) {
                number = chance.one(of: [0, 1, number &+ 50, number &+ 5_000, 0x7fff_ffff, 0xffff_ff00, 0xffff_fffe])
            }
            let count = min(UInt32(1 + chance.below(50)), UInt32.max - number)
            defer { number += count }
            guard count > 0 else { return [] }
            let loud = chance.once(in: 2)
            let samples = loud ? chance.bytes(640 * Int(count)) : [UInt8](repeating: 0, count: 640 * Int(count))
            return frame(2, withUnsafeBytes(of: number.littleEndian) { Array($0) } + samples)
        }
        let message = chance.one(of: Messages.all.dropFirst())
        return frame(1, chance.once(in: 12) ? message.spoiled(&chance) : Array(message.written.utf8))
    }

    private static func frame(_ opcode: UInt8, _ data: [UInt8]) -> [UInt8] {
        let length: [UInt8] =
            switch data.count {
            case ...125: [0x80 | UInt8(data.count)]
            case ...65_535: [0x80 | 126, UInt8(data.count >> 8), UInt8(data.count & 255)]
            default: [0x80 | 127] + (0..<8).map { UInt8(truncatingIfNeeded: data.count >> (8 * (7 - $0))) }
            }
        // A masking key of zeros changes nothing.
        return [0x80 | opcode] + length + [0, 0, 0, 0] + data
    }
}
