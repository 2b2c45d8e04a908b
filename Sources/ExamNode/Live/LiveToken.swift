import Crypto
import Foundation
import SystemSupport

/// The secret that opens one live exam: 32 random bytes. The client has them, and the server knows only their digest.
package struct LiveToken: Sendable {
    /// The token's text: base64url without padding, 43 characters.
    package let text: String

    /// Creates a token from the system's random numbers.
    package init() {
        text = SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }.base64URL
    }

    /// Reads a client's token. Nil if it cannot be a token.
    package init?(_ text: some StringProtocol) {
        guard text.utf8.count == 43 else { return nil }
        self.text = String(text)
    }

    /// The digest, which is stored. Tokens are found by their digest. Attackers cannot predict a token's digest, so the
    /// time of the search reveals nothing about other tokens.
    package var digest: String { SystemSupport.SHA256.hexadecimal(of: Array(text.utf8)) }

    /// Returns whether this token has a digest. The time taken does not depend on the result.
    func has(_ digest: String) -> Bool {
        let (mine, other) = (Array(self.digest.utf8), Array(digest.utf8))
        guard mine.count == other.count else { return false }
        return zip(mine, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
