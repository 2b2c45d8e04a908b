import Foundation

/// The SHA-256 of a representation in HTTP's form: `sha-256=:<base64>:` (RFC 9530, section 3).
package struct ReprDigest: Equatable {
    private var bytes: [UInt8]

    /// - Parameter sha256: 64 hexadecimal digits; nil for any other text.
    package init?(sha256: String) {
        let digits = sha256.compactMap(\.hexDigitValue)
        guard digits.count == 64, sha256.count == 64 else { return nil }
        bytes = stride(from: 0, to: 64, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    /// - Parameter field: The value of a header; nil if it contains no readable SHA-256. It may contain other
    ///   algorithms too.
    package init?(field: String) {
        for member in field.split(separator: ",") {
            let member = member.trimmingCharacters(in: .whitespaces)
            guard member.lowercased().hasPrefix("sha-256=:"), member.hasSuffix(":"), member.count > 10,
                let data = Data(base64Encoded: String(member.dropFirst(9).dropLast())), data.count == 32
            else { continue }
            bytes = Array(data)
            return
        }
        return nil
    }

    /// The digest as 64 hexadecimal digits.
    package var sha256: String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    package var field: String { "sha-256=:\(Data(bytes).base64EncodedString()):" }
}
