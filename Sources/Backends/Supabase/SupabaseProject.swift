import Foundation
import HTTPClient
public import SystemSupport

/// A Supabase project, in Supabase's cloud or self-hosted: its address, and the key that identifies this application.
public struct SupabaseProject: Equatable, Sendable, CustomStringConvertible {
    /// The address without a slash at its end: `https://abcdefgh.supabase.co`.
    public let url: String
    /// `sb_publishable_…`, or the older anonymous key, which is a JSON Web Token. It is public but stays out of logs.
    let key: String

    /// - Parameters:
    ///   - url: `https`, optionally with a path. `http` is allowed only to this machine or its own network, since the
    ///     user's token goes with every request.
    ///   - key: Never a secret key (`sb_secret_…`, `service_role`), which would bypass the rules that separate users.
    /// - Throws: `Problem.malformed` with a sentence that says which of the two is wrong and why. It does not show the
    ///   key.
    public init(url: String, key: String) throws(Problem) {
        let (url, key) = (url.trimmed, key.trimmed)
        let wrong: (String) -> Problem = { Problem(.malformed, "the Supabase project's URL \($0)") }
        guard !url.isEmpty else { throw wrong("is empty") }
        guard
            let parts = URLComponents(string: url), let scheme = parts.scheme?.lowercased(),
            let host = parts.host, !host.isEmpty
        else { throw wrong("is not like https://name.supabase.co") }
        guard ["https", "http"].contains(scheme) else { throw wrong("begins with \(scheme), not with https") }
        guard parts.user == nil, parts.password == nil else { throw wrong("contains a name or password") }
        guard parts.query == nil, parts.fragment == nil else { throw wrong("contains a ? or #") }
        guard scheme == "https" || Self.isNear(host) else {
            throw wrong("is http, which others on the network can read; use https")
        }
        guard !key.isEmpty else { throw Problem(.malformed, "the Supabase project's key is empty") }
        guard key.allSatisfy({ $0.isASCII && !$0.isWhitespace }) else {
            throw Problem(.malformed, "the Supabase project's key contains an invalid character")
        }
        let token = AccessToken(key)
        guard key.hasPrefix("sb_publishable_") || token.isToken || key.hasPrefix("sb_secret_") else {
            throw Problem(.malformed, "the Supabase project's key is neither sb_publishable_… nor a JSON Web Token")
        }
        guard !key.hasPrefix("sb_secret_"), token.role != "service_role" else {
            throw Problem(.malformed, "the Supabase project's key is a secret one; use the publishable (or anon) key")
        }
        self.url = String(url.reversed().drop { $0 == "/" }.reversed())
        self.key = key
    }

    /// The host and the port, for people and logs.
    public var place: String {
        guard let parts = URLComponents(string: url) else { return "" }
        return (parts.host ?? "") + (parts.port.map { ":\($0)" } ?? "")
    }

    public var description: String { place }

    /// Returns whether the host is this machine, a name without dots (a container's), or a private address (RFC 1918).
    private static func isNear(_ host: String) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { UInt8($0) }
        if numbers.count == 4 && parts.count == 4 {
            return [127, 10].contains(numbers[0]) || numbers.starts(with: [192, 168])
                || numbers[0] == 172 && (16...31).contains(numbers[1])
        }
        return host == "[::1]" || host == "::1" || !host.contains(".") && !host.contains(":")
    }
}
