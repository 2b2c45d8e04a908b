import ExamNode
import NIOCore
import NIOWebSocket

/// Assembles the frames of one connection into messages, in order and within limits (RFC 6455, 5.4 and 5.5).
struct MessageAssembly {
    enum Message: Equatable {
        case text(String)
        case binary(ByteBuffer)
        case ping(ByteBuffer)
        case pong
        case close
    }

    /// The maximum size of a frame and of a binary message.
    static let mostBytes = 64 << 10
    static let mostTextBytes = 16 << 10

    private var opcode: WebSocketOpcode?
    private var parts = ByteBuffer()

    /// Takes a frame.
    ///
    /// - Returns: the message that this frame completes. Nil if more frames must follow.
    /// - Throws: `badFrame`, `tooLong`, `notText`.
    mutating func take(_ frame: WebSocketFrame) throws(CloseReason) -> Message? {
        // Browsers mask all frames. An unmasked one may be an attempt to make a proxy take it for HTTP (10.3).
        guard let key = frame.maskKey, !frame.rsv1, !frame.rsv2, !frame.rsv3 else { throw CloseReason.badFrame }
        var data = frame.data
        data.unmask(key)
        switch frame.opcode {
        case .ping: return .ping(data)
        case .pong: return .pong
        case .connectionClose: return .close
        case .text, .binary:
            guard opcode == nil else { throw CloseReason.badFrame }
            if frame.fin { return try message(frame.opcode, data) }
            opcode = frame.opcode
            try append(&data)
        case .continuation:
            guard let opcode else { throw CloseReason.badFrame }
            try append(&data)
            guard frame.fin else { return nil }
            defer {
                self.opcode = nil
                parts = ByteBuffer()
            }
            return try message(opcode, parts)
        default: throw CloseReason.badFrame
        }
        return nil
    }

    private mutating func append(_ data: inout ByteBuffer) throws(CloseReason) {
        let most = opcode == .text ? Self.mostTextBytes : Self.mostBytes
        guard parts.readableBytes + data.readableBytes <= most else { throw CloseReason.tooLong }
        parts.writeBuffer(&data)
    }

    private func message(_ opcode: WebSocketOpcode, _ data: ByteBuffer) throws(CloseReason) -> Message {
        guard opcode == .text else { return .binary(data) }
        guard data.readableBytes <= Self.mostTextBytes else { throw CloseReason.tooLong }
        guard let text = String(validating: data.readableBytesView, as: UTF8.self) else {
            throw CloseReason.notText
        }
        return .text(text)
    }
}

extension ByteBuffer {
    /// Unmasks eight bytes at a time. NIO's own function goes byte by byte, and a second of sound has 32,000 bytes.
    fileprivate mutating func unmask(_ key: WebSocketMaskingKey) {
        let key = Array(key)
        let word = (0..<8).reduce(UInt64(0)) { $0 | UInt64(key[$1 % 4]) << UInt64(8 * $1) }.littleEndian
        withUnsafeMutableReadableBytes { bytes in
            var place = 0
            while place + 8 <= bytes.count {
                let eight = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self) ^ word
                bytes.storeBytes(of: eight, toByteOffset: place, as: UInt64.self)
                place += 8
            }
            while place < bytes.count {
                bytes[place] ^= key[place % 4]
                place += 1
            }
        }
    }
}
