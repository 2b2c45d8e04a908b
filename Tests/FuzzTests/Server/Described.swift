import Foundation

/// The statuses that `/openapi.json` promises, by method and address.
struct Described: Sendable {
    private let routes: [(pattern: [Substring], method: String, statuses: Set<Int>)]

    /// Statuses that any request may get before a route is found. The description lists them once for all routes: RFC
    /// 9112, and access.
    private static let everywhere: Set<Int> = [400, 404, 405, 413, 417, 421, 431, 501, 505]

    init(_ document: [UInt8]) throws {
        let json = try JSONSerialization.jsonObject(with: Data(document)) as? [String: Any]
        let paths = json?["paths"] as? [String: [String: Any]] ?? [:]
        routes = paths.flatMap { path, methods in
            methods.compactMap { method, operation in
                let answers = (operation as? [String: Any])?["responses"] as? [String: Any]
                return answers.map {
                    (path.split(separator: "/"), method.uppercased(), Set($0.keys.compactMap { Int($0) }))
                }
            }
        }
        try demand(routes.count > 30, "only \(routes.count) routes")
    }

    /// Returns whether the routes at an address allow a status. A route that ends in a name beats one that ends in a
    /// parameter.
    func allows(_ status: Int, _ method: String, _ path: String) -> Bool {
        if Self.everywhere.contains(status) { return true }
        let parts = path.prefix { $0 != "?" }.split(separator: "/")
        let fitting = routes.filter { route in
            route.pattern.count == parts.count
                && zip(route.pattern, parts).allSatisfy { $0.first == "{" || $0 == $1 }
        }
        // The page and its parts are for browsers.
        if fitting.isEmpty { return status == 200 || status == 401 }
        // HEAD is GET without a body. An invalid token is refused at any address.
        return fitting.contains { route in
            (route.method == method || method == "HEAD" && route.method == "GET") && route.statuses.contains(status)
        } || status == 401
    }
}
