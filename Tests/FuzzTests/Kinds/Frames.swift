import AudioFiles
import NIOCore
import NIOEmbedded
import NIOWebSocket

@testable import ExamNode
@testable import ExamServer

/// Bytes of a WebSocket: passed through NIO's frame decoder, assembled to messages, and read as a client's.
struct Frames: FuzzKind {
    static let name = "frames"
    static let share = 120_000

    func attempt(_ chance: inout Chance) async throws {
        var bytes: [UInt8] = []
        for _ in 0...chance.below(4) { bytes += Self.frame(&chance) }
        if chance.once(in: 3) { bytes.spoil(&chance) }
        let channel = EmbeddedChannel(
            handler: ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: MessageAssembly.mostBytes)))
        defer { _ = try? channel.finish() }
        // In pieces of any size, as a network delivers them.
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(chance.once(in: 2) ? rest.count : 1 + chance.below(64))
            rest = rest.dropFirst(piece.count)
            do { try channel.writeInbound(ByteBuffer(bytes: piece)) } catch { break }
        }
        var assembly = MessageAssembly()
        while let frame = try channel.readInbound(as: WebSocketFrame.self) {
            do throws(CloseReason) {
                guard let message = try assembly.take(frame) else { continue }
                try Self.read(message)
            } catch { return }
        }
    }

    private static func read(_ message: MessageAssembly.Message) throws(CloseReason) {
        switch message {
        case .text(let text): _ = try ClientMessage(text.utf8)
        case .binary(let bytes):
            let decoder = try? OpusPacketDecoder()
            var refused: CloseReason?
            for form in SoundMessage.Form.allCases {
                do throws(CloseReason) {
                    let sound = try SoundMessage(Array(bytes.readableBytesView), as: form)
                    for index in 0..<sound.count { _ = sound.block(index, decoder) }
                } catch { refused = error }
            }
            if let refused { throw refused }
        case .ping, .pong, .close: break
        }
    }

    /// Returns a frame that is valid, except for its lengths and flags now and then.
    static func frame(_ chance: inout Chance) -> [UInt8] {
        let data: [UInt8] =
            switch chance.below(5) {
            case 0: Messages.message(&chance)
            case 1: sound(&chance)
            case 2: chance.bytes(chance.one(of: [0, 1, 2, 3, 125, 126]))
            default: chance.bytes(chance.below(20))
            }
        let opcode = chance.one(of: [0, 0, 1, 1, 1, 2, 2, 8, 9, 10, 3, 15] as [UInt8])
        var head: [UInt8] = [(chance.once(in: 4) ? 0 : 0x80) | (chance.once(in: 20) ? 0x70 : 0) | opcode]
        let mask: UInt8 = chance.once(in: 20) ? 0 : 0x80
        let length = chance.once(in: 20) ? chance.one(of: lengths) : UInt64(data.count)
        switch length {
        case ...125: head.append(mask | UInt8(length))
        case ...65_535: head += [mask | 126, UInt8(length >> 8), UInt8(length & 255)]
        default: head += [mask | 127] + (0..<8).map { UInt8(truncatingIfNeeded: length >> UInt64(8 * (7 - $0))) }
        }
        guard mask != 0 else { return head + data }
        let key = chance.bytes(4)
        return head + key + data.enumerated().map { $1 ^ key[$0 % 4] }
    }

    private static let lengths: [UInt64] = [
        0, 125, 126, 65_535, 65_536, 65_537, 0x7fff_ffff, 0xffff_ffff, 0x7fff_ffff_ffff_ffff, .max,
    ]

    private static func sound(_ chance: inout Chance) -> [UInt8] {
        let number = chance.one(of: [0, 1, 49, 50, 0x7fff_ffff, 0xffff_fffe, 0xffff_ffff] as [UInt32])
        let blocks = chance.once(in: 16) ? chance.one(of: [50, 51]) : 1 + chance.below(3)
        let off = chance.once(in: 8) ? chance.below(3) - 1 : 0
        if chance.once(in: 2) { return packets(number, blocks, &chance) }
        return withUnsafeBytes(of: number.littleEndian) { Array($0) }
            + [UInt8](repeating: UInt8(truncatingIfNeeded: chance.next()), count: 640 * blocks + off)
    }

    /// Returns blocks as Opus packets, whose first byte mostly says that they last 20 ms (RFC 6716, 3.1).
    private static func packets(_ number: UInt32, _ blocks: Int, _ chance: inout Chance) -> [UInt8] {
        (0..<blocks).reduce(into: withUnsafeBytes(of: number.littleEndian) { Array($0) }) { bytes, _ in
            let kind =
                chance.once(in: 16) ? UInt8(truncatingIfNeeded: chance.next()) : chance.one(of: [0xb8, 0x48, 0x08])
            let packet = [kind] + chance.bytes(chance.one(of: [0, 1, 20, 80, 200, 1_275]))
            let length = UInt16(packet.count + (chance.once(in: 16) ? 1 : 0))
            bytes += [UInt8(length & 255), UInt8(length >> 8)] + packet
        }
    }
}
