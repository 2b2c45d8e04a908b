import Crypto
import Foundation
import HTTPTypes
import SystemSupport

/// The secret of a sign-in: 32 random bytes. Only the browser knows it. The server stores its digest.
struct SignInToken: Sendable {
    /// 64 hexadecimal digits.
    let text: String

    /// Creates a token from the system's random numbers.
    init() {
        text = SymmetricKey(size: .bits256).withUnsafeBytes { bytes in
            bytes.map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }.joined()
        }
    }

    /// Reads a client's token. Nil if it cannot be a token.
    init?(_ text: some StringProtocol) {
        guard text.utf8.count == 64, text.utf8.allSatisfy({ 48...57 ~= $0 || 97...102 ~= $0 }) else { return nil }
        self.text = String(text)
    }

    /// The digest by which the token is found. Attackers cannot predict a token's digest, so the time of the search
    /// reveals nothing about other tokens.
    var digest: String { SystemSupport.SHA256.hexadecimal(of: Array(text.utf8)) }
}

/// A browser in which a member has signed in before. It is signed by the server.
struct KnownDevice: Codable, Sendable {
    var member: UUID
    var device: String
}

/// The cookies of a browser: its sign-in, the proof that it was used before, and a sign-in at a school that has begun.
struct SignInCookies: Sendable {
    let isEncrypted: Bool

    enum Kind: String {
        case signIn = "oracy"
        case device = "oracy-device"
        case attempt = "oracy-attempt"

        /// A school sends the browser back from its own site, and a strict cookie would not come along.
        fileprivate var sameSite: String { self == .attempt ? "Lax" : "Strict" }
    }

    /// The name of a cookie. Browsers accept the prefix only from this very host over https, so that no neighbouring
    /// host can set the cookie.
    func name(_ kind: Kind) -> String { (isEncrypted ? "__Host-" : "") + kind.rawValue }

    /// Returns the header that stores a cookie.
    func storing(_ value: String, as kind: Kind, days: Double) -> HTTPField {
        let secure = isEncrypted ? "; Secure" : ""
        return HTTPField(
            name: .setCookie,
            value: "\(name(kind))=\(value); Path=/; Max-Age=\(Int((days * 86_400).rounded())); HttpOnly; "
                + "SameSite=\(kind.sameSite)\(secure)")
    }

    /// Returns the header that removes a cookie.
    func removing(_ kind: Kind) -> HTTPField { storing("", as: kind, days: 0) }

    /// Returns a cookie's value. Nil if it is absent, or there are several of this name: then another program may have
    /// set one of them.
    func value(_ kind: Kind, in headers: HTTPFields) -> Substring? {
        let prefix = name(kind) + "="
        let values = headers[values: .cookie].flatMap { $0.split(separator: ";") }
            .map { $0.drop { $0 == " " } }.filter { $0.hasPrefix(prefix) }
        return values.count == 1 ? values[0].dropFirst(prefix.count) : nil
    }

    /// Returns whether a request comes from this server's own page, as browsers state it in every request that is not
    /// a GET or HEAD.
    func isOwnPage(_ headers: HTTPFields, at authority: String?) -> Bool {
        guard let origin = headers[.origin], let authority else { return false }
        return origin.lowercased() == (isEncrypted ? "https://" : "http://") + authority.lowercased()
    }
}
