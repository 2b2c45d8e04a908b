import BackendAPI
import Foundation
public import Hummingbird
import Logging

/// What a request knows of itself on its way through the routes.
public struct ServerContext: RequestContext {
    public var coreContext: CoreRequestContextStorage
    /// Who asks, by the token that came with it; nil until `Authentication` has looked.
    public var caller: Caller?

    /// What its line in the log says of it beside.
    let trail = RequestTrail()

    /// 16 hexadecimal digits by which a request is found in the log. Hummingbird's own id ends the process where a logger keeps no
    /// metadata.
    public let requestID: String

    /// The trace that a proxy sent, 32 hexadecimal digits; all lines of the request have it. nil: none was sent.
    var trace: String? {
        didSet { logger[metadataKey: "trace"] = trace.map { "\($0)" } }
    }

    /// What lines of others have by which the request is found.
    var asked: Logger.Metadata {
        ["request": "\(requestID)"].merging(trace.map { ["trace": "\($0)"] } ?? [:]) { $1 }
    }

    public init(source: Source) {
        coreContext = .init(source: source)
        let number = String(UInt64.random(in: 0 ... .max), radix: 16)
        requestID = String(repeating: "0", count: 16 - number.count) + number
        logger[metadataKey: "hb.request.id"] = nil
        logger[metadataKey: "request"] = "\(requestID)"
    }

    /// JSON bodies: answers to quizzes and facts, never sound.
    public var maxUploadSize: Int { 256 * 1024 }

    /// - Throws: `APIProblem.noToken`.
    func requireUser() throws(APIProblem) -> UUID { try requireCaller().user }

    /// - Throws: `APIProblem.noToken`.
    func requireCaller() throws(APIProblem) -> Caller {
        guard let caller else { throw .noToken }
        return caller
    }

    /// - Throws: `APIProblem`: `noToken`; 403 where their token does not say that they are such.
    func require(_ role: Role) throws(APIProblem) -> Caller {
        let caller = try requireCaller()
        guard caller.roles.contains(role) else {
            throw .notFor(role)
        }
        return caller
    }

    /// An id in the path.
    ///
    /// - Throws: `APIProblem.missing`: an id that is none names nothing.
    func id(_ name: String, of what: String) throws(APIProblem) -> UUID {
        guard let id = parameters.get(name).flatMap({ WrittenID($0)?.id }) else { throw .missing(what) }
        if name == "session" { trail.session = id }
        return id
    }
}
