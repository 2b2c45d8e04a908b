import ExamStore
import HTTPTypes
import Hummingbird

/// What those who run a server ask of it; no token needed, and nothing about people in the answers.
enum HealthRoutes {
    static func add(to routes: some RouterMethods<ServerContext>, _ services: Services) {
        // Alive: the process answers (V1, C14).
        routes.get("health") { _, _ in Answer(["status": "ok"]) }
        // Ready: what it keeps things in answers, too; else requests should go to another node.
        routes.get("ready") { _, _ async throws -> Answer<[String: String]> in
            do {
                try await services.store.ping()
                try await services.audio.ping()
            } catch {
                throw APIProblem.busy
            }
            return Answer(["status": "ok"])
        }
        routes.get("metrics") { _, _ async throws in
            try await WorkerMetrics.refresh(services)
            return Response(
                status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: services.metrics.text)))
        }
    }
}
