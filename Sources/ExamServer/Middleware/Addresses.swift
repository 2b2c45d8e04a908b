import HTTPTypes
import Hummingbird
import Synchronization

/// Distinguishes a wrong method from a wrong address: answers 405 with the allowed methods (RFC 9110, 15.5.6) instead
/// of Hummingbird's 404.
final class Addresses: RouterMiddleware {
    private let known = Mutex<[(pattern: [Substring], method: HTTPRequest.Method)]>([])

    /// Sets the known routes.
    ///
    /// - Parameter routes: `/v1/sessions/{session}` and its method.
    func know(_ routes: [(path: String, method: HTTPRequest.Method)]) {
        known.withLock { $0 = routes.map { ($0.path.split(separator: "/"), $0.method) } }
    }

    func handle(
        _ request: Request, context: ServerContext, next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as HTTPError where error.status == .notFound {
            let methods = methods(at: request.uri.path)
            guard !methods.isEmpty, !methods.contains(request.method) else { throw error }
            throw APIProblem(
                .methodNotAllowed, "method", "Method not allowed",
                "This address does not take \(request.method.rawValue).",
                headers: [.allow: methods.map(\.rawValue).sorted().joined(separator: ", ")])
        }
    }

    private func methods(at path: String) -> Set<HTTPRequest.Method> {
        let parts = path.split(separator: "/")
        let matching = known.withLock { known in
            known.filter { route in
                guard route.pattern.count == parts.count else { return false }
                return zip(route.pattern, parts).allSatisfy { pattern, part -> Bool in
                    pattern.hasPrefix("{") || pattern.hasPrefix(":") || pattern == part
                }
            }
        }
        let methods = Set(matching.map(\.method))
        return methods.contains(.get) ? methods.union([.head]) : methods
    }
}
