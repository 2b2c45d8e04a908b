import BackendAPI
import Foundation
public import Hummingbird
import Logging
import NIOCore

/// A request's context on its way through the routes.
public struct ServerContext: RequestContext {
    public var coreContext: CoreRequestContextStorage
    /// The caller according to the request's token. Nil before `Authentication` has run.
    public var caller: Caller?
    /// Whether a cookie identifies the caller as a member of a class.
    var isMember = false
    /// The name of the school by which the caller signed in. Nil if no cookie of a school identifies the caller.
    var school: String?
    /// Whether the request has a browser's cookie whose sign-in has ended.
    var wasSignedOut = false

    /// Further facts for the request's line in the log.
    let trail = RequestTrail()

    /// The connection that the request came over.
    let channel: any Channel

    /// 16 hexadecimal digits that identify a request in the log. Hummingbird's own id isn't used, because reading it
    /// crashes the process if the logger stores no metadata.
    public let requestID: String

    /// The trace id sent by a proxy, 32 hexadecimal digits, which is added to all lines of the request. Nil if none was
    /// sent.
    var trace: String? {
        didSet { logger[metadataKey: "trace"] = trace.map { "\($0)" } }
    }

    /// The metadata that name this request in log lines about something that it began, such as an exam.
    var asked: Logger.Metadata {
        ["request": "\(requestID)"].merging(trace.map { ["trace": "\($0)"] } ?? [:]) { $1 }
    }

    public init(source: Source) {
        coreContext = .init(source: source)
        channel = source.channel
        let number = String(UInt64.random(in: 0 ... .max), radix: 16)
        requestID = String(repeating: "0", count: 16 - number.count) + number
        logger[metadataKey: "hb.request.id"] = nil
        logger[metadataKey: "request"] = "\(requestID)"
    }

    /// The maximum size of JSON bodies, which contain quiz answers and facts but no sound.
    public var maxUploadSize: Int { 256 * 1024 }

    /// The address of the client, or of the proxy in front of this server. Empty if it is unknown.
    var address: String { channel.remoteAddress?.ipAddress ?? "" }

    /// Returns the caller's user id.
    ///
    /// - Throws: `APIProblem.noToken`.
    func requireUser() throws(APIProblem) -> UUID { try requireCaller().user }

    /// Returns the caller.
    ///
    /// - Throws: `APIProblem.noToken`.
    func requireCaller() throws(APIProblem) -> Caller {
        guard let caller else { throw wasSignedOut ? .signedOut : .noToken }
        return caller
    }

    /// Returns the caller if they have a role.
    ///
    /// - Throws: `APIProblem`: `noToken`, or 403 if their token does not contain the role.
    func require(_ role: Role) throws(APIProblem) -> Caller {
        let caller = try requireCaller()
        guard caller.roles.contains(role) else {
            throw .notFor(role)
        }
        return caller
    }

    /// Returns an id in the path.
    ///
    /// - Throws: `APIProblem.missing` if the path component isn't a UUID.
    func id(_ name: String, of what: String) throws(APIProblem) -> UUID {
        guard let id = parameters.get(name).flatMap({ WrittenID($0)?.id }) else { throw .missing(what) }
        if name == "session" { trail.session = id }
        return id
    }
}
