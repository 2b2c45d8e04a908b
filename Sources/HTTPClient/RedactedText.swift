import Foundation

/// A server's words without what must not stand in a log: keys, tokens, addresses of people, queries of URLs.
///
/// Servers do repeat what they were sent: a gateway names the URL, an identity server the address.
package enum RedactedText {
    package static func of(_ words: String) -> String {
        // Long pages are cut first: the expressions below need not read a megabyte.
        patterns.reduce(String(words.prefix(4_000))) { words, pattern in
            words.replacing(pattern.find, with: pattern.put)
        }.trimmed
    }

    /// Each is made when it is used: a `Regex` may not be shared between threads.
    private static var patterns: [(find: Regex<Substring>, put: String)] {
        [
            // JSON Web Tokens, whole or cut off.
            (/eyJ[A-Za-z0-9_\-]{5,}(?:\.[A-Za-z0-9_\-]*){0,2}/, "[token]"),
            (/sb_(?:publishable|secret)_[A-Za-z0-9_\-]*/, "[key]"),
            (/(?i)bearer\s+[A-Za-z0-9._~+\/\-]+=*/, "Bearer [token]"),
            (/[A-Za-z0-9._%+\-]+@[A-Za-z0-9.\-]+\.[A-Za-z]{2,}/, "[address]"),
            (/\?[A-Za-z0-9_\-.]+=[^\s"'<>]*/, "?…"),
        ]
    }
}
