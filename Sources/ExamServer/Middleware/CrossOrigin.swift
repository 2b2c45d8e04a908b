import HTTPTypes
public import Hummingbird

/// Gives pages of allowed origins the same access as this server's own page (Fetch standard, "CORS protocol"), with a
/// bearer token in a header, never with the cookies of this server's own page.
///
/// `ExamBackend.run` includes it. An application that adds the routes to its own router adds this to the router itself
/// before them, because browsers send preflight requests (`OPTIONS`) to addresses without such a route.
public struct CrossOrigin: RouterMiddleware {
    private let origins: Set<String>

    /// Creates the middleware.
    ///
    /// - Parameter origins: `https://exams.example.org`, in lower case.
    public init(_ origins: Set<String>) {
        self.origins = origins
    }

    /// Answers preflight requests itself, and lets pages of allowed origins read the other answers.
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
            // For `<audio>` and other elements that make requests without CORS.
            response.headers[.crossOriginResourcePolicy] = "cross-origin"
        }
        return response
    }

    private static let permissions: HTTPFields = [
        .accessControlAllowMethods: "GET, HEAD, POST, PUT, PATCH, DELETE",
        .accessControlAllowHeaders:
            "Authorization, Content-Type, Oracy-Offset, Prefer, Range, Repr-Digest, Tus-Resumable, Upload-Length, Upload-Offset, Upload-Metadata, "
            + "Upload-Checksum, X-HTTP-Method-Override",
        // In seconds: Chromium's maximum.
        .accessControlMaxAge: "7200",
    ]

    /// The headers that a page may read in addition to the default ones.
    private static let exposed =
        "Location, Content-Range, Preference-Applied, Retry-After, Request-Id, Repr-Digest, Tus-Resumable, Tus-Version, Tus-Extension, Tus-Max-Size, "
        + "Tus-Checksum-Algorithm, Upload-Length, Upload-Offset, Upload-Metadata, Upload-Expires"
}
