import ExamNode
import ExamStore
import Foundation
import HTTPTypes
import Hummingbird
import ServerWork

/// Routes for a candidate's consents to sending answers to third parties, each named. Without consent, nothing is sent.
struct ConsentRoutes: Sendable {
    let services: Services

    func add(to routes: some RouterMethods<ServerContext>) {
        routes.get("v1/consents", use: consents)
        routes.put("v1/consents/:recipient", use: agree)
        routes.delete("v1/consents/:recipient", use: withdraw)
    }

    private struct Told: Encodable, Sendable {
        var consents: [One]

        struct One: Encodable, Sendable {
            var recipient: String
            /// The statement to agree to.
            var words: String
            /// The time of the consent. Absent if not agreed.
            var givenAt: String?
        }
    }

    /// Returns the third parties of this server, and those to which the candidate agreed earlier.
    @Sendable private func consents(
        _ request: Request, _ context: ServerContext
    ) async throws -> some ResponseGenerator {
        let owned = services.owned(by: try context.requireUser())
        let given = try await owned.consents()
        let names = Set(services.panel.recipients + given.map(\.recipient)).sorted()
        return Answer(
            Told(
                consents: names.map { name in
                    let own = given.first { $0.recipient == name }
                    return .init(
                        recipient: name, words: own?.words ?? AssessorPanel.words(for: name), givenAt: own?.givenAt)
                }))
    }

    @Sendable private func agree(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        let owned = services.owned(by: try context.requireUser())
        let recipient = try recipient(context)
        guard services.panel.recipients.contains(recipient) else { throw APIProblem.missing("recipient") }
        try await owned.agree(to: recipient, words: AssessorPanel.words(for: recipient))
        // Sessions with gaps for lack of consent are evaluated again.
        let service = services.store.service
        for session in try await service.sessions(of: owned.user, foundBy: SaidOfAnswers.missing) {
            _ = try await service.queueEvaluation(of: session, by: services.panel.version)
        }
        return HTTPResponse.Status.noContent
    }

    @Sendable private func withdraw(
        _ request: Request, _ context: ServerContext
    ) async throws -> some ResponseGenerator {
        let owned = services.owned(by: try context.requireUser())
        guard try await owned.withdraw(from: try recipient(context)) else { throw APIProblem.missing("consent") }
        return HTTPResponse.Status.noContent
    }

    private func recipient(_ context: ServerContext) throws -> String {
        guard let name = context.parameters.get("recipient")?.removingPercentEncoding, (1...100).contains(name.count)
        else { throw APIProblem.missing("recipient") }
        return name
    }
}
