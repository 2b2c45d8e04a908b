import ExamNode
import ExamStore
import Foundation
import HTTPTypes
import Hummingbird
import ServerWork

/// The seal of an exam. Each request compares it with the stored exam.
struct SealRoutes: Sendable {
    let services: Services

    func add(to routes: some RouterMethods<ServerContext>) {
        routes.get("v1/sessions/:session/seal", use: seal)
    }

    @Sendable private func seal(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        let id = try context.id("session", of: "session")
        let owned = try await SessionAccess(services: services).reading(id, .seal, by: context.requireCaller())
        let stored = try await owned.seal(of: id)
        // An erased exam leaves only its seal.
        if stored == nil, try await owned.session(id) == nil { throw APIProblem.missing("session") }
        return Answer(try await SealCheck(services.store.service, services.audio).report(of: id, stored))
    }
}
