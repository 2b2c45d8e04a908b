package import AudioFiles

/// Numbered blocks of a client's microphone, as received: 4 bytes for the number of the first, then the blocks.
package struct SoundMessage: Equatable, Sendable {
    /// The form of blocks on the wire.
    package enum Form: String, CaseIterable, Sendable {
        /// 640 bytes each: 320 samples of 16 bits, little-endian.
        case pcm
        /// 2 bytes for the length of a packet, little-endian, and the packet: one frame of 20 ms.
        case opus
    }

    /// 320 samples of 16 bits.
    static let blockBytes = 2 * AudioFormat.blockSize
    /// One second: 32,004 bytes.
    static let mostBlocks = 50

    package let form: Form
    /// The number of the first block.
    package var first: UInt32
    private let bytes: ArraySlice<UInt8>
    /// The range of each block in `bytes`.
    private let places: [Range<Int>]

    package var count: Int { places.count }

    /// Reads a message.
    ///
    /// - Throws: `malformed`.
    package init(_ message: [UInt8], as form: Form = .pcm) throws(CloseReason) {
        guard message.count >= 4 else { throw Self.notBlocks(form) }
        self.form = form
        first = message.withUnsafeBytes { UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self)) }
        bytes = message[4...]
        places =
            switch form {
            case .pcm: try Self.blocks(in: self.bytes)
            case .opus: try Self.packets(in: self.bytes)
            }
        guard !places.isEmpty else { throw Self.notBlocks(form) }
        guard places.count <= Self.mostBlocks else {
            throw .malformed("too-many-blocks", "A message has at most \(Self.mostBlocks) blocks.")
        }
        guard UInt64(first) + UInt64(places.count) <= UInt64(UInt32.max) else {
            throw .malformed("block-number", "No exam has so many blocks.")
        }
    }

    private static func blocks(in bytes: ArraySlice<UInt8>) throws(CloseReason) -> [Range<Int>] {
        guard bytes.count % blockBytes == 0 else { throw notBlocks(.pcm) }
        return (0..<bytes.count / blockBytes).map { $0 * blockBytes..<($0 + 1) * blockBytes }
    }

    private static func packets(in bytes: ArraySlice<UInt8>) throws(CloseReason) -> [Range<Int>] {
        var places: [Range<Int>] = []
        var place = 0
        while place < bytes.count {
            guard place + 2 <= bytes.count else { throw notBlocks(.opus) }
            let length = bytes.withUnsafeBytes {
                Int(UInt16(littleEndian: $0.loadUnaligned(fromByteOffset: place, as: UInt16.self)))
            }
            guard place + 2 + length <= bytes.count else { throw notBlocks(.opus) }
            let packet = place + 2..<place + 2 + length
            let isBlock = bytes.withUnsafeBytes {
                OpusPacketDecoder.isBlock(UnsafeRawBufferPointer(rebasing: $0[packet]))
            }
            guard isBlock else { throw notBlocks(.opus) }
            places.append(packet)
            place = packet.upperBound
        }
        return places
    }

    private static func notBlocks(_ form: Form) -> CloseReason {
        switch form {
        case .pcm:
            .malformed("not-blocks", "Sound is 4 bytes, the number of a block, and then whole blocks of 640 bytes.")
        case .opus:
            .malformed(
                "not-blocks",
                "Sound is 4 bytes, the number of a block, and then packets of Opus of 20 ms, each after 2 bytes for its length."
            )
        }
    }

    /// Returns a block.
    ///
    /// - Parameters:
    ///   - index: 0 is the first block of the message.
    ///   - decoder: the decoder of Opus blocks, which must have decoded all earlier ones.
    package func block(_ index: Int, _ decoder: OpusPacketDecoder?) -> AudioBlock {
        bytes.withUnsafeBytes { bytes in
            let block = UnsafeRawBufferPointer(rebasing: bytes[places[index]])
            return switch form {
            case .pcm: Self.samples(block)
            case .opus: decoder?.decode(block) ?? .silence
            }
        }
    }

    private static func samples(_ pcm: UnsafeRawBufferPointer) -> AudioBlock {
        AudioBlock(
            samples: [Float](unsafeUninitializedCapacity: AudioFormat.blockSize) { samples, count in
                for place in 0..<AudioFormat.blockSize {
                    let value = Int16(littleEndian: pcm.loadUnaligned(fromByteOffset: 2 * place, as: Int16.self))
                    samples[place] = Float(value) / 32_768
                }
                count = AudioFormat.blockSize
            })
    }
}
