import CZlib

/// Compression by zlib.
package enum Zlib {
    /// Compresses bytes in the gzip format (RFC 1952), as small as zlib can.
    ///
    /// - Returns: nil if there is not enough memory.
    package static func gzip(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        guard oracy_gzip_begin(&stream, Z_BEST_COMPRESSION) == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        var bytes = bytes
        // `deflateBound` holds for one call with all the input, so the output never has to grow.
        let most = Int(deflateBound(&stream, UInt(bytes.count)))
        return bytes.withUnsafeMutableBytes { input in
            whole(&stream, UnsafeRawBufferPointer(input), most: most) { deflate($0, Z_FINISH) }
        }
    }

    /// Decompresses raw data in the format of RFC 1951, as zip archives contain it.
    ///
    /// - Parameter count: the exact number of bytes of the result.
    /// - Returns: nil if the data are damaged, or the result is longer or shorter.
    package static func inflated(_ input: UnsafeRawBufferPointer, count: Int) -> [UInt8]? {
        var stream = z_stream()
        guard oracy_inflate_begin(&stream) == Z_OK else { return nil }
        defer { inflateEnd(&stream) }
        // One byte more than announced, to notice a result that is too long.
        let bytes = whole(&stream, input, most: count + 1) { inflate($0, Z_FINISH) }
        return bytes?.count == count ? bytes : nil
    }

    /// Returns the checksum of gzip and of zip archives.
    package static func crc32(_ bytes: [UInt8]) -> UInt32 {
        UInt32(truncatingIfNeeded: bytes.withUnsafeBufferPointer { crc32_z(0, $0.baseAddress, $0.count) })
    }

    /// Runs one call that takes all the input and gives all the output.
    ///
    /// - Returns: the output; nil if the call does not reach the stream's end.
    private static func whole(
        _ stream: inout z_stream, _ input: UnsafeRawBufferPointer, most: Int,
        _ call: (UnsafeMutablePointer<z_stream>) -> Int32
    ) -> [UInt8]? {
        guard let length = UInt32(exactly: input.count), let room = UInt32(exactly: most) else { return nil }
        var isWhole = false
        let output = [UInt8](unsafeUninitializedCapacity: most) { output, count in
            // zlib does not change its input; its interface is older than `const`.
            stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
            stream.avail_in = length
            stream.next_out = output.baseAddress
            stream.avail_out = room
            isWhole = call(&stream) == Z_STREAM_END
            count = most - Int(stream.avail_out)
        }
        return isWhole ? output : nil
    }
}
