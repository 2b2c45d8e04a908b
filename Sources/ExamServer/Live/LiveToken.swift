import Crypto
import ExamKit
import Foundation

/// What opens one live exam: 32 random bytes, which the client has and this server only knows the digest of.
struct LiveToken: Sendable {
    /// As a client has it: base64url without padding, 43 characters.
    let text: String

    /// A new one, from the system's random numbers.
    init() {
        let bytes = SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }
        text = bytes.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// What a client says; nil where it cannot be one.
    init?(_ text: some StringProtocol) {
        guard text.utf8.count == 43 else { return nil }
        self.text = String(text)
    }

    /// What is stored. Tokens are found by their digest: nobody can say which digest a token of theirs will have, so how long the
    /// search takes tells them nothing of another's.
    var digest: String { ExamKit.SHA256.hexadecimal(of: Array(text.utf8)) }

    /// Whether this is the token with that digest; takes as long whatever the answer.
    func has(_ digest: String) -> Bool {
        let (mine, other) = (Array(self.digest.utf8), Array(digest.utf8))
        guard mine.count == other.count else { return false }
        return zip(mine, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
