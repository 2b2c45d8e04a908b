import HTTPTypes
import Hummingbird

/// The page, which is part of the program: no path of a request reaches the file system.
enum PageRoutes {
    static func add(to routes: some RouterMethods<ServerContext>) {
        routes.get("") { _, _ in answer("index.html") }
        routes.get("page/:name") { _, context in try file(named: ["name"], of: context) }
        routes.get("page/:name/:file") { _, context in try file(named: ["name", "file"], of: context) }
    }

    /// Returns the file whose path consists of these parameters.
    private static func file(named parameters: [String], of context: ServerContext) throws -> Response {
        let path = parameters.compactMap { context.parameters.get($0) }.joined(separator: "/")
        guard files[path] != nil else { throw APIProblem.missing("page") }
        return answer(path)
    }

    /// All clients read the same bytes.
    private static let buffers = files.mapValues { ByteBuffer(bytes: $0) }

    private static func answer(_ path: String) -> Response {
        let kinds = [
            "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
            "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml",
        ]
        let kind = kinds[String(path.split(separator: ".").last ?? "")] ?? "application/octet-stream"
        return Response(
            status: .ok, headers: [.contentType: kind, .cacheControl: "no-cache"],
            body: ResponseBody(byteBuffer: buffers[path] ?? ByteBuffer()))
    }
}
