import HTTPTypes
import Hummingbird

/// The page, which is part of the program: no path of a request reaches the file system.
enum PageRoutes {
    static func add(to routes: some RouterMethods<ServerContext>) {
        // Compressing them takes a quarter of a second, for which no exam should wait.
        _ = ready
        routes.get("") { request, _ in try answer("index.html", to: request) }
        routes.get("page/:name") { request, context in try answer(path(["name"], of: context), to: request) }
        routes.get("page/:name/:file") { request, context in
            try answer(path(["name", "file"], of: context), to: request)
        }
    }

    /// Returns the path that consists of these parameters.
    private static func path(_ parameters: [String], of context: ServerContext) -> String {
        parameters.compactMap { context.parameters.get($0) }.joined(separator: "/")
    }

    private static func answer(_ path: String, to request: Request) throws -> Response {
        guard let file = ready[path] else { throw APIProblem.missing("page") }
        var response = file.response(to: request)
        // A worker's script may otherwise answer only for addresses below its own.
        if path == "worker.js" { response.headers[.serviceWorkerAllowed] = "/" }
        return response
    }

    /// The files by their paths. All clients read the same bytes.
    private static let ready = {
        var ready: [String: StaticFile] = [:]
        for (path, bytes) in files { ready[path] = StaticFile(bytes, kind: kind(of: path)) }
        for (path, bytes) in bundled.files {
            ready[path] = StaticFile(bytes, kind: kind(of: path), lifetime: .forever, codings: [.brotli, .gzip])
        }
        ready["worker.js"] = StaticFile(worker, kind: kind(of: "worker.js"))
        ready["index.html"] = StaticFile(bundled.index, kind: kind(of: "index.html"), codings: [.brotli, .gzip])
        return ready
    }()

    private static func kind(of path: String) -> String {
        switch path.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "svg": "image/svg+xml"
        case "png": "image/png"
        case "webmanifest": "application/manifest+json"
        default: "application/octet-stream"
        }
    }
}

extension HTTPField.Name {
    fileprivate static let serviceWorkerAllowed = HTTPField.Name("Service-Worker-Allowed")!
}
