import CCrypto

/// MD5 by libcrypto: the checksum of S3's `Content-MD5` (RFC 1864), and the digest (`etag`) that storage servers give
/// for an object. It protects against accidents, not against attackers.
package struct MD5: ~Copyable {
    private let context = EVP_MD_CTX_new()

    /// - Returns: nil if this machine's libcrypto refuses MD5, for example under FIPS rules.
    package init?() {
        guard EVP_DigestInit_ex(context, EVP_md5(), nil) == 1 else { return nil }
    }

    deinit {
        EVP_MD_CTX_free(context)
    }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        let isTaken = EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1
        precondition(isTaken, "libcrypto fails")
    }

    /// Returns the digest of all bytes so far, 16 bytes. Nothing may be added afterwards.
    package mutating func bytes() -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 16)
        let isDone = EVP_DigestFinal_ex(context, &digest, nil) == 1
        precondition(isDone, "libcrypto fails")
        return digest
    }

    /// Returns a file's digest as 32 hexadecimal digits.
    ///
    /// - Throws: `Problem`: `missing`; `unavailable` if libcrypto refuses MD5.
    package static func hexadecimal(ofFile path: String) throws(Problem) -> String {
        guard var digest = MD5() else { throw Problem(.unavailable, "libcrypto has no MD5 on this machine") }
        try PrivateFile.forEachChunk(of: path) { digest.update($0) }
        return digest.bytes().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
