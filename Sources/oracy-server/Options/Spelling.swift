import ArgumentParser
import ExamServer
import Foundation
import Logging
import SystemSupport

/// The required forms of addresses and names. Each is checked before the server starts and converted to the form in
/// which it is compared later.
///
/// All functions throw a `ValidationError` that says how to write the value. The parser adds the value and its place.
enum Spelling {
    /// Accepts an address or name of this machine: `0.0.0.0`, `::1` or `[::1]`, `exams.example.org`.
    static func listeningHost(_ text: String) throws -> String {
        let host = text.hasPrefix("[") && text.hasSuffix("]") ? String(text.dropFirst().dropLast()) : text
        guard isAddress(host) || isName(host) else {
            throw ValidationError("write an address or a name without a port, such as 0.0.0.0 or ::1")
        }
        return host
    }

    /// Accepts the name of a node, which is used in leases and log lines.
    static func nodeName(_ text: String) throws -> String {
        guard 1...64 ~= text.utf8.count, text.utf8.allSatisfy({ isLetterOrDigit($0) || "-_.".utf8.contains($0) }) else {
            throw ValidationError("use 1 to 64 letters, digits, hyphens, underscores and full stops")
        }
        return text
    }

    /// Accepts `https://a.example.org` or `http://10.0.0.7:8080/oracy`, and removes a slash at the end.
    static func nodeURL(_ text: String) throws -> String {
        guard let url = web(text), url.query == nil, url.fragment == nil, url.user == nil else {
            throw ValidationError("write the http:// or https:// address of this node")
        }
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }

    /// Accepts a host as in the header `Host` without its port: `exams.example.org`, `[::1]`. Returns it in lower case.
    static func allowedHost(_ text: String) throws -> String {
        let bare = text.hasPrefix("[") && text.hasSuffix("]") ? String(text.dropFirst().dropLast()) : text
        if bare.contains(":"), isAddress(bare) { return "[\(bare.lowercased())]" }
        guard isName(text) else {
            throw ValidationError(
                "write a name without a scheme or port, such as exams.example.org")
        }
        return text.lowercased()
    }

    /// Accepts an origin as browsers write it in `Origin` (RFC 6454, 6.2): `https://exams.example.org:8443`. Returns it
    /// in lower case and without the default port.
    static func origin(_ text: String) throws -> String {
        guard let url = web(text), let scheme = url.scheme?.lowercased(), let host = url.host?.lowercased(),
            url.path.isEmpty, url.query == nil, url.fragment == nil, url.user == nil
        else {
            throw ValidationError(
                "write https://HOST or https://HOST:PORT, and nothing after it")
        }
        let usual = scheme == "https" ? 443 : 80
        return "\(scheme)://\(host)" + (url.port.map { $0 == usual ? "" : ":\($0)" } ?? "")
    }

    /// Accepts a user's id: a UUID.
    static func user(_ text: String) throws -> UUID {
        guard let id = UUID(uuidString: text) else {
            throw ValidationError("write the user's id, a UUID as tokens have it (sub)")
        }
        return id
    }

    static func logLevel(_ text: String) throws -> Logger.Level {
        guard let level = Logger.Level(rawValue: text) else {
            throw ValidationError(
                "use one of \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return level
    }

    static func logFormat(_ text: String) throws -> LineLog.Format {
        guard let format = LineLog.Format(rawValue: text) else {
            throw ValidationError("use text or json")
        }
        return format
    }

    /// Returns an http or https address with a host and a valid port.
    static func web(_ text: String) -> URLComponents? {
        guard let url = URLComponents(string: text), ["http", "https"].contains(url.scheme?.lowercased()),
            let host = url.host, host.hasPrefix("[") || isName(host), 1...65_535 ~= url.port ?? 1
        else { return nil }
        return url
    }

    /// Returns whether requests to the address leave this machine unencrypted.
    static func isPlain(_ url: URLComponents) -> Bool {
        url.scheme?.lowercased() == "http" && !LocalHost.isThisMachine(url.host ?? "")
    }

    /// Returns whether the text is an IPv4 or IPv6 address without brackets.
    private static func isAddress(_ text: String) -> Bool {
        var (four, six) = (in_addr(), in6_addr())
        return inet_pton(AF_INET, text, &four) == 1 || inet_pton(AF_INET6, text, &six) == 1
    }

    /// Returns whether the text is a host name: letters, digits and hyphens between full stops (RFC 1123, 2.1).
    /// Underscores, which also occur, are accepted.
    private static func isName(_ text: String) -> Bool {
        1...253 ~= text.utf8.count
            && text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { part in
                1...63 ~= part.utf8.count && part.utf8.allSatisfy { isLetterOrDigit($0) || "-_".utf8.contains($0) }
            }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
