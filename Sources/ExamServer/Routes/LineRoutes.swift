import HTTPTypes
import Hummingbird

/// A route with which a client measures the speed of its line in both directions before an exam.
struct LineRoutes {
    /// A second of an exam's sound, with some margin.
    static let mostBytes = 64 << 10

    func add(to routes: some RouterMethods<ServerContext>) {
        routes.post("v1/line-check", use: check)
    }

    /// Returns the received bytes. Nothing is stored.
    @Sendable private func check(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try context.requireUser()
        let body: ByteBuffer
        do {
            body = try await request.body.collect(upTo: Self.mostBytes)
        } catch let error as any HTTPResponseError where error.status == .contentTooLarge {
            throw APIProblem(
                .contentTooLarge, "too-large", "Too large",
                "The body can have at most \(Self.mostBytes >> 10) KiB.")
        } catch {
            throw APIProblem.malformed("The connection broke before the end of the body.")
        }
        guard body.readableBytes > 0 else {
            throw APIProblem.malformed("The body is empty: there is nothing to send back.")
        }
        return Response(
            status: .ok, headers: [.contentType: "application/octet-stream", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: body))
    }
}
