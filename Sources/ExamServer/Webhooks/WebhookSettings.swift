public import ExamStore
import Foundation
public import HTTPClient
public import SystemSupport

/// Who is told of sessions by webhook: the file that `--webhooks` names (docs/school.md).
public struct WebhookSettings: Codable, Equatable, Sendable {
    /// Of the file's own layout.
    public static let layoutVersion = 1

    /// `layoutVersion`.
    public var version = WebhookSettings.layoutVersion
    /// Who is told; each of them once of each event.
    public var endpoints: [Endpoint]

    /// Somebody who is told.
    public struct Endpoint: Codable, Equatable, Sendable {
        /// 1 to 40 letters, digits, `-`, `_` and `.`: what jobs and logs call it.
        public var id: String
        /// `https://…`; `http://…` where `private` is true.
        public var address: String
        /// Where its secret is found: `whsec_…`.
        public var key: ServiceKey
        /// The secret before this one, while a receiver may still know no other.
        public var previousKey: ServiceKey?
        /// Which events; absent: all.
        public var events: Set<SessionEvent>?
        /// Whether it may lie in a private network, or on this machine.
        public var `private`: Bool?

        public init(
            id: String, address: String, key: ServiceKey, previousKey: ServiceKey? = nil,
            events: Set<SessionEvent>? = nil, private isPrivate: Bool? = nil
        ) {
            self.id = id
            self.address = address
            self.key = key
            self.previousKey = previousKey
            self.events = events
            self.private = isPrivate
        }
    }

    public init(endpoints: [Endpoint] = []) { self.endpoints = endpoints }

    /// - Throws: `Problem`: `missing`; `malformed` with the line or the field.
    public init(file path: String) throws(Problem) {
        self = try JSONFile.decode(
            WebhookSettings.self, "webhooks' file", version: Self.layoutVersion, from: PrivateFile.read(path),
            name: path)
        if let mistake { throw Problem(.malformed, "\(path): \(mistake)") }
    }

    /// The first thing that is wrong, with its field and without a full stop; nil where nothing is.
    var mistake: String? {
        for (number, endpoint) in endpoints.enumerated() {
            if let mistake = endpoint.mistake { return "endpoints[\(number)].\(mistake)" }
            if endpoints[..<number].contains(where: { $0.id == endpoint.id }) {
                return "endpoints[\(number)].id: \"\(endpoint.id)\" is another one's already"
            }
        }
        return nil
    }
}

extension WebhookSettings.Endpoint {
    fileprivate var mistake: String? {
        guard id.wholeMatch(of: /[A-Za-z0-9._-]{1,40}/) != nil else {
            return "id: has 1 to 40 letters, digits, -, _ and ."
        }
        guard let url = URL(string: address), ["http", "https"].contains(url.scheme ?? ""),
            url.host()?.isEmpty == false,
            url.fragment == nil, url.user == nil
        else { return "address: should be https://…, without a name and #" }
        if url.scheme == "http", self.private != true {
            return
                "address: is http, and anybody on its way could read and change it; use https, or say \"private\": true"
        }
        for (name, key) in [("key", key), ("previousKey", previousKey)] {
            if let key, (key.file == nil) == (key.environment == nil) {
                return
                    "\(name): should be {\"file\": …} or {\"environment\": …}; the secret itself does not belong here"
            }
        }
        if events?.isEmpty == true { return "events: names none; leave it out for all" }
        return nil
    }
}
