import CBrotli

/// Compression in the format of RFC 7932, which every browser takes over TLS. Texts are a sixth smaller than with gzip.
enum Brotli {
    /// The second best of eleven. The best one takes twice the time and saves another 2 %.
    private static let quality: Int32 = 10

    /// Compresses a text.
    ///
    /// - Returns: nil if there is not enough memory.
    static func compressed(text: [UInt8]) -> [UInt8]? {
        let most = BrotliEncoderMaxCompressedSize(text.count)
        guard most > 0 else { return nil }
        var isWhole = false
        let output = [UInt8](unsafeUninitializedCapacity: most) { output, count in
            count = most
            isWhole =
                BrotliEncoderCompress(
                    quality, BROTLI_DEFAULT_WINDOW, BROTLI_MODE_TEXT, text.count, text, &count,
                    output.baseAddress) != 0
            if !isWhole { count = 0 }
        }
        return isWhole ? output : nil
    }
}
