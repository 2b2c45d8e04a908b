import HTTPTypes
import Hummingbird

/// The page, which is part of the program: no path of a request reaches the file system.
enum PageRoutes {
    static func add(to routes: some RouterMethods<ServerContext>) {
        routes.get("") { _, _ in answer("index.html") }
        routes.get("page/:name") { _, context -> Response in
            guard let name = context.parameters.get("name"), files[name] != nil else {
                throw APIProblem.missing("page")
            }
            return answer(name)
        }
    }

    /// All clients read the same bytes.
    private static let buffers = files.mapValues { ByteBuffer(bytes: $0) }

    private static func answer(_ name: String) -> Response {
        let kinds = [
            "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
            "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml",
        ]
        let kind = kinds[String(name.split(separator: ".").last ?? "")] ?? "application/octet-stream"
        return Response(
            status: .ok, headers: [.contentType: kind, .cacheControl: "no-cache"],
            body: ResponseBody(byteBuffer: buffers[name] ?? ByteBuffer()))
    }
}
