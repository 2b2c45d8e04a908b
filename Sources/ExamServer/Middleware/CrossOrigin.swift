import HTTPTypes
public import Hummingbird

/// Lets pages of allowed origins ask as this server's own page does (Fetch standard, "CORS protocol"): with a bearer token in a header,
/// never with cookies, which this server has none of.
///
/// `ExamBackend.run` has it. Whoever adds the routes to a router of their own adds this to the router itself, before them: what a browser
/// asks beforehand (`OPTIONS`) is asked at addresses that have no such route.
public struct CrossOrigin: RouterMiddleware {
    private let origins: Set<String>

    /// - Parameter origins: `https://exams.example.org`, in lower case.
    public init(_ origins: Set<String>) {
        self.origins = origins
    }

    /// Answers preflights itself, and lets pages of allowed origins read the others' answers.
    public func handle(
        _ request: Request, context: ServerContext, next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        guard !origins.isEmpty else { return try await next(request, context) }
        let origin = request.headers[.origin].flatMap { origins.contains($0.lowercased()) ? $0 : nil }
        let isPreflight = request.method == .options && request.headers[.accessControlRequestMethod] != nil
        var response =
            origin != nil && isPreflight
            ? Response(status: .noContent, headers: Self.permissions) : try await next(request, context)
        response.headers[.vary] = [response.headers[.vary], "Origin"].compactMap { $0 }.joined(separator: ", ")
        if let origin {
            response.headers[.accessControlAllowOrigin] = origin
            response.headers[.accessControlExposeHeaders] = Self.exposed
            // For `<audio>` and the like, which ask without CORS.
            response.headers[.crossOriginResourcePolicy] = "cross-origin"
        }
        return response
    }

    private static let permissions: HTTPFields = [
        .accessControlAllowMethods: "GET, HEAD, POST, PUT, PATCH, DELETE",
        .accessControlAllowHeaders:
            "Authorization, Content-Type, Oracy-Offset, Prefer, Range, Repr-Digest, Tus-Resumable, Upload-Length, Upload-Offset, Upload-Metadata, "
            + "Upload-Checksum, X-HTTP-Method-Override",
        // Seconds: what Chromium keeps at most.
        .accessControlMaxAge: "7200",
    ]

    /// What a page may read beside what it always may.
    private static let exposed =
        "Location, Content-Range, Preference-Applied, Retry-After, Request-Id, Repr-Digest, Tus-Resumable, Tus-Version, Tus-Extension, Tus-Max-Size, "
        + "Tus-Checksum-Algorithm, Upload-Length, Upload-Offset, Upload-Metadata, Upload-Expires"
}
