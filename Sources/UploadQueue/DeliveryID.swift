public import Foundation
import SystemSupport

/// Makes ids that are the same every time, so that a repetition can be recognised even after everything else is lost.
public enum DeliveryID {
    /// Returns the id of something that belongs to a session: `part1_q3`, `session`, `completion`.
    ///
    /// It is a UUID of version 8 (RFC 9562, 5.8: custom) from the first 122 bits of a SHA-256.
    public static func make(_ name: String, of session: UUID) -> UUID {
        let digest = SHA256.hexadecimal(of: Array("\(session.name)/\(name)".utf8))
        var digits = Array(digest.prefix(32))
        digits[12] = "8"
        digits[16] = Array("89ab")[digits[16].hexDigitValue! % 4]
        for place in [20, 16, 12, 8] { digits.insert("-", at: place) }
        return UUID(uuidString: String(digits))!
    }
}
