import Foundation
import SystemSupport

/// The addresses that may receive recordings and tokens. Voices are personal data, so they never go over a network in
/// plain text.
enum ServerURL {
    /// Returns what is wrong with an address; nil if it is allowed.
    static func mistake(in url: String) -> String? {
        guard let parts = URLComponents(string: url), let scheme = parts.scheme?.lowercased(),
            let host = parts.host, !host.isEmpty
        else { return "is not an address like https://exams.example.org" }
        if parts.user != nil || parts.password != nil {
            return "contains a name or password, which logs would show; put tokens into a file"
        }
        switch scheme {
        case "https": return nil
        case "http" where LocalHost.isThisMachine(host): return nil
        case "http": return "uses plain http to another machine; recordings are personal data, so use https"
        default: return "begins with \(scheme); use https"
        }
    }

    /// Like `mistake(in:)`, for a base address to which paths are added. It must have no query and no fragment.
    static func mistake(inBase url: String) -> String? {
        if let mistake = mistake(in: url) { return mistake }
        let parts = URLComponents(string: url)
        return parts?.query == nil && parts?.fragment == nil ? nil : "contains a ? or a #"
    }

    static func isThisMachine(_ url: String) -> Bool {
        URLComponents(string: url)?.host.map(LocalHost.isThisMachine) ?? false
    }
}
