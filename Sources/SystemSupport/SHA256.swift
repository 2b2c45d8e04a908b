import CCrypto

/// SHA-256 by libcrypto.
package struct SHA256: ~Copyable {
    private let context = EVP_MD_CTX_new()

    package init() {
        let started = EVP_DigestInit_ex(context, EVP_sha256(), nil)
        precondition(started == 1, "libcrypto has no SHA-256")
    }

    deinit {
        EVP_MD_CTX_free(context)
    }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        let isTaken = EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1
        precondition(isTaken, "libcrypto fails")
    }

    /// Returns the digest of all bytes so far, as 64 hexadecimal digits. Nothing may be added afterwards.
    package mutating func hexadecimal() -> String {
        var digest = [UInt8](repeating: 0, count: 32)
        let isDone = EVP_DigestFinal_ex(context, &digest, nil) == 1
        precondition(isDone, "libcrypto fails")
        let digits = Array("0123456789abcdef".utf8)
        return String(unsafeUninitializedCapacity: 64) { text in
            for (place, byte) in digest.enumerated() {
                text[2 * place] = digits[Int(byte >> 4)]
                text[2 * place + 1] = digits[Int(byte & 15)]
            }
            return 64
        }
    }

    package static func hexadecimal(of bytes: [UInt8]) -> String {
        var digest = SHA256()
        bytes.withUnsafeBytes { digest.update($0) }
        return digest.hexadecimal()
    }
}
