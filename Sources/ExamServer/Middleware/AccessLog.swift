import ExamCore
import ExamNode
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import SystemSupport

/// Logs a line for each request when its answer has been written, and adds the request's id to the answer. A line
/// contains no path, address or text from the client, only the route's pattern and the id of the session concerned. All
/// lines of a request have the trace id sent by a proxy.
struct AccessLog: RouterMiddleware {
    func handle(
        _ request: Request, context: ServerContext, next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        let began = SteadyClock.now
        var context = context
        context.trace = request.headers[.traceParent].flatMap(TraceParent.init)?.trace
        let known = context
        var response = try await next(request, known)
        response.headers[.requestID] = context.requestID
        let (body, status) = (response.body, response.status.code)
        // HEAD has the length of the omitted body.
        let bytes = request.method == .head ? 0 : body.contentLength
        let line: @Sendable (_ isWhole: Bool) -> Void = { isWhole in
            var metadata: Logger.Metadata = [
                "method": "\(Self.name(of: request.method))", "route": "\(Self.route(known))",
                "status": "\(status)", "ms": "\(Self.milliseconds(since: began))",
                "bytes": "\(isWhole ? bytes.map(String.init) ?? "?" : "broken-off")",
            ]
            if let session = known.trail.session { metadata["session"] = "\(session.name)" }
            known.logger.info("request", metadata: metadata)
        }
        // The body of an answer to HEAD is never written.
        guard request.method != .head else {
            line(true)
            return response
        }
        response.body = ResponseBody(contentLength: body.contentLength) { writer in
            do {
                try await body.write(writer)
            } catch {
                line(false)
                throw error
            }
            line(true)
        }
        return response
    }

    /// Logs bytes that were refused before they became a request.
    static func note(_ problem: APIProblem, _ metrics: ServerMetrics, _ logger: Logger) {
        metrics.count(problem.status)
        logger.info(
            "request",
            metadata: ["method": "-", "route": "-", "status": "\(problem.status.code)", "what": "\(problem.code)"])
    }

    private static let methods: Set<HTTPRequest.Method> = [.get, .head, .post, .put, .patch, .delete, .options]

    /// Returns a method's name. A client may send any text as a method, so unknown methods are logged as `other`.
    private static func name(of method: HTTPRequest.Method) -> String {
        methods.contains(method) ? method.rawValue : "other"
    }

    private static func route(_ context: ServerContext) -> String {
        guard let path = context.endpointPath, path != "NotFound" else { return "-" }
        return path
    }

    private static func milliseconds(since began: Duration) -> String {
        String(format: "%.1f", (SteadyClock.now - began).inSeconds * 1000)
    }
}

extension ServerMetrics {
    /// Counts an HTTP answer.
    func count(_ status: HTTPResponse.Status) {
        add(.requests, label: "status=\"\(status.code / 100)xx\"")
    }
}

extension HTTPField.Name {
    /// The header with a request's id, for questions about it. The id is also in the log and in problem documents.
    static let requestID = HTTPField.Name("Request-Id")!
}
