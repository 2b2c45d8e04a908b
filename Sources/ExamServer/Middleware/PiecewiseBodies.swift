import ExamNode
import HTTPTypes
import Hummingbird
import NIOCore

/// Middleware that writes long bodies in pieces, each when its client has room for it, so only a few pieces wait on a
/// connection. Large bodies that were made for one client take room until they are sent (`OutboundRoom`).
struct PiecewiseBodies: RouterMiddleware {
    let room: OutboundRoom

    /// The bytes of a piece.
    static let piece = 16 << 10
    /// Bodies of up to this many bytes take no room.
    private static let small = 256 << 10

    func handle(
        _ request: Request, context: ServerContext, next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        let body = response.body
        guard request.method != .head, body.contentLength ?? .max > Self.piece else { return response }
        var held: HeldRoom?
        if let length = body.contentLength, length > Self.small, !Self.isShared(request.uri.path) {
            held = room.hold(length)
            guard held != nil else { throw APIProblem.busy }
        }
        response.body = ResponseBody(contentLength: body.contentLength) { [held] writer in
            defer { withExtendedLifetime(held) {} }
            try await body.write(PieceWriter(writer: writer, channel: context.channel))
        }
        return response
    }

    /// Whether all clients get the same bytes from this process's memory.
    private static func isShared(_ path: String) -> Bool {
        path == "/" || path == "/openapi.json" || path.hasPrefix("/page/")
    }
}

private struct PieceWriter: ResponseBodyWriter {
    var writer: any ResponseBodyWriter
    let channel: any Channel

    mutating func write(_ buffer: ByteBuffer) async throws {
        var rest = buffer
        while let piece = rest.readSlice(length: min(rest.readableBytes, PiecewiseBodies.piece)),
            piece.readableBytes > 0
        {
            try await writer.write(piece)
            // Wait until the event loop has taken this piece, so that the next one waits if the connection has enough
            // bytes. Otherwise all pieces would be written at once.
            if channel.isActive { try await channel.eventLoop.submit {}.get() }
        }
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws { try await writer.finish(trailingHeaders) }
}
