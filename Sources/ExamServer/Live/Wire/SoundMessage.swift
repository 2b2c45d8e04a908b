import AudioFiles
import NIOCore

/// Some numbered blocks of a client's microphone, as they came: 4 bytes for the number of the first, then 640 bytes each.
struct SoundMessage: Equatable, Sendable {
    /// 320 samples of 16 bits.
    static let blockBytes = 2 * AudioFormat.blockSize
    /// A second; 32,004 bytes.
    static let mostBlocks = 50

    /// The number of the first block.
    var first: UInt32
    /// Whole blocks.
    private var bytes: ByteBuffer

    var count: Int { bytes.readableBytes / Self.blockBytes }

    /// - Throws: `malformed`.
    init(_ message: ByteBuffer) throws(CloseReason) {
        var bytes = message
        guard let first = bytes.readInteger(endianness: .little, as: UInt32.self), bytes.readableBytes > 0,
            bytes.readableBytes % Self.blockBytes == 0
        else {
            throw .malformed(
                "not-blocks", "Sound is 4 bytes, the number of a block, and then whole blocks of 640 bytes.")
        }
        guard bytes.readableBytes <= Self.mostBlocks * Self.blockBytes else {
            throw .malformed("too-many-blocks", "A message has at most \(Self.mostBlocks) blocks.")
        }
        guard UInt64(first) + UInt64(bytes.readableBytes / Self.blockBytes) <= UInt64(UInt32.max) else {
            throw .malformed("block-number", "No exam has so many blocks.")
        }
        self.first = first
        self.bytes = bytes
    }

    /// A block's samples.
    ///
    /// - Parameter index: 0 is the first block of the message.
    func block(_ index: Int) -> AudioBlock {
        bytes.withUnsafeReadableBytes { bytes in
            let pcm = UnsafeRawBufferPointer(rebasing: bytes[(index * Self.blockBytes)...].prefix(Self.blockBytes))
            return AudioBlock(
                samples: [Float](unsafeUninitializedCapacity: AudioFormat.blockSize) { samples, count in
                    for place in 0..<AudioFormat.blockSize {
                        let value = Int16(littleEndian: pcm.loadUnaligned(fromByteOffset: 2 * place, as: Int16.self))
                        samples[place] = Float(value) / 32_768
                    }
                    count = AudioFormat.blockSize
                })
        }
    }
}
