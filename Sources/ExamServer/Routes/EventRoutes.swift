import ExamNode
import ExamStore
import Foundation
import Hummingbird

/// Routes that send results as events while they arrive.
struct EventRoutes: Sendable {
    let services: Services
    let streams: EventStreams

    func add(to routes: some RouterMethods<ServerContext>) {
        routes.get("v1/sessions/:session/events", use: events)
    }

    @Sendable private func events(_ request: Request, _ context: ServerContext) async throws -> Response {
        let caller = try context.requireCaller()
        let id = try context.id("session", of: "session")
        let owned = try await SessionAccess(services: services).reading(id, .events, by: caller)
        guard try await owned.session(id) != nil else { throw APIProblem.missing("session") }
        let last = try EventStreams.lastEvent(request)
        return try streams.response(ResultNews(services, of: id, owned, after: last), of: id, to: caller)
    }
}
