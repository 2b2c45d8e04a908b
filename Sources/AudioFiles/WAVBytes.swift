/// Makes a whole WAV file in memory: 16-bit mono at 16 kHz, the form that external services accept.
public enum WAVBytes {
    /// Returns the file.
    ///
    /// - Parameter samples: full scale ±1. Values beyond are clipped.
    public static func of(_ samples: [Float]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: WAVHeader.size + 2 * samples.count) { bytes, count in
            let raw = UnsafeMutableRawBufferPointer(bytes)
            WAVHeader.put(sampleCount: samples.count, into: raw)
            let sound = UnsafeMutableRawBufferPointer(rebasing: raw[WAVHeader.size...])
            // The header's 44 bytes keep the samples aligned.
            let pcm = sound.bindMemory(to: Int16.self)
            samples.withUnsafeBufferPointer { roundToPCM16($0, pcm) }
            count = bytes.count
        }
    }
}

/// The canonical header of 44 bytes: RIFF, `fmt ` (PCM, mono, 16 kHz, 16 bit), `data`.
enum WAVHeader {
    static let size = 44

    /// Writes the header.
    ///
    /// - Parameter header: space for at least `size` bytes.
    static func put(sampleCount: Int, into header: UnsafeMutableRawBufferPointer) {
        let rate = UInt32(AudioFormat.sampleRate)
        let size = UInt32(2 * sampleCount)
        func put(_ value: UInt32, at offset: Int) {
            header.storeBytes(of: value.littleEndian, toByteOffset: offset, as: UInt32.self)
        }
        func put(_ text: StaticString, at offset: Int) {
            header.baseAddress!.advanced(by: offset).copyMemory(from: text.utf8Start, byteCount: 4)
        }
        put("RIFF", at: 0)
        put(36 + size, at: 4)
        put("WAVE", at: 8)
        put("fmt ", at: 12)
        put(16, at: 16)
        put(1 | 1 << 16, at: 20)  // PCM, one channel.
        put(rate, at: 24)
        put(2 * rate, at: 28)  // Bytes a second.
        put(2 | 16 << 16, at: 32)  // Bytes a sample, bits.
        put("data", at: 36)
        put(size, at: 40)
    }
}
