public import ExamStore
import Foundation
public import HTTPClient
public import SystemSupport

/// The endpoints that receive events of sessions by webhook: the file named by `--webhooks` (docs/school.md).
public struct WebhookSettings: Codable, Equatable, Sendable {
    /// The version of the file's layout.
    public static let layoutVersion = 1

    /// The version of the file's layout: `layoutVersion`.
    public var version = WebhookSettings.layoutVersion
    /// The endpoints. Each gets each event once.
    public var endpoints: [Endpoint]

    /// A receiver of events.
    public struct Endpoint: Codable, Equatable, Sendable {
        /// The endpoint's name in jobs and logs: 1 to 40 letters, digits, `-`, `_` and `.`.
        public var id: String
        /// The address: `https://…`, or `http://…` if `private` is true.
        public var address: String
        /// The place of its secret, `whsec_…`.
        public var key: ServiceKey
        /// The previous secret, while a receiver may still know only that one.
        public var previousKey: ServiceKey?
        /// The events to deliver. Absent for all.
        public var events: Set<SessionEvent>?
        /// Whether the address may be in a private network, or on this machine.
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

    /// Reads the settings.
    ///
    /// - Throws: `Problem`: `missing`, or `malformed` with the line or the field.
    public init(file path: String) throws(Problem) {
        self = try JSONFile.decode(
            WebhookSettings.self, "webhooks' file", version: Self.layoutVersion, from: PrivateFile.read(path),
            name: path)
        if let mistake { throw Problem(.malformed, "\(path): \(mistake)") }
    }

    /// The first mistake in the settings, with its field and without a full stop. Nil if they are valid.
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
