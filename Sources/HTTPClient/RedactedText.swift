import Foundation

/// A server's message without data that must not be logged: keys, tokens, addresses of people, queries of URLs.
///
/// Servers do repeat what they receive: gateways name the URL, identity servers the e-mail address.
package enum RedactedText {
    package static func of(_ words: String) -> String {
        // Cuts long pages first, so that the expressions below need not read a megabyte.
        patterns.reduce(String(words.prefix(4_000))) { words, pattern in
            words.replacing(pattern.find, with: pattern.put)
        }.trimmed
    }

    /// Created for each use, since a `Regex` can't be shared between threads.
    private static var patterns: [(find: Regex<Substring>, put: String)] {
        [
            // JSON Web Tokens, complete or cut off.
            (/eyJ[A-Za-z0-9_\-]{5,}(?:\.[A-Za-z0-9_\-]*){0,2}/, "[token]"),
            (/sb_(?:publishable|secret)_[A-Za-z0-9_\-]*/, "[key]"),
            (/(?i)bearer\s+[A-Za-z0-9._~+\/\-]+=*/, "Bearer [token]"),
            (/[A-Za-z0-9._%+\-]+@[A-Za-z0-9.\-]+\.[A-Za-z]{2,}/, "[address]"),
            (/\?[A-Za-z0-9_\-.]+=[^\s"'<>]*/, "?…"),
        ]
    }
}
