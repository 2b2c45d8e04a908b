import CZlib

/// Compression in the gzip format (RFC 1952), by zlib.
package enum Gzip {
    /// Compresses bytes as small as zlib can. The same bytes give the same result on machines with the same zlib.
    ///
    /// - Returns: nil if the memory does not suffice.
    package static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        guard oracy_gzip_begin(&stream, Z_BEST_COMPRESSION) == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        let most = Int(deflateBound(&stream, UInt(bytes.count)))
        var bytes = bytes
        // The bound holds for one call with all the input, so the output never has to be extended.
        return bytes.withUnsafeMutableBufferPointer { input in
            var isWhole = false
            let output = [UInt8](unsafeUninitializedCapacity: most) { output, count in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(most)
                isWhole = deflate(&stream, Z_FINISH) == Z_STREAM_END
                count = most - Int(stream.avail_out)
            }
            return isWhole ? output : nil
        }
    }
}
