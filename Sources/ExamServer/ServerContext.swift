public import Foundation
public import Hummingbird

/// What a request knows of itself on its way through the routes.
public struct ServerContext: RequestContext {
    public var coreContext: CoreRequestContextStorage
    /// Whose token came with it; nil until `Authentication` has looked.
    public var user: UUID?

    public init(source: Source) {
        coreContext = .init(source: source)
    }

    /// JSON bodies: answers to quizzes and facts, never sound.
    public var maxUploadSize: Int { 256 * 1024 }

    /// - Throws: `APIProblem.noToken`.
    func requireUser() throws(APIProblem) -> UUID {
        guard let user else { throw .noToken }
        return user
    }

    /// An id in the path.
    ///
    /// - Throws: `APIProblem.missing`: an id that is none names nothing.
    func id(_ name: String, of what: String) throws(APIProblem) -> UUID {
        guard let id = parameters.get(name).flatMap({ UUID(uuidString: $0) }) else { throw .missing(what) }
        return id
    }
}
