import ExamKit
import ExamStore
import Foundation
import Hummingbird

/// What can be sat, with the ids of its questions (D2, D3, D11); and whose token it is.
struct TemplateRoutes {
    let services: Services

    func add(to routes: some RouterMethods<ServerContext>) {
        routes.get("v1/templates", use: templates)
        routes.get("v1/templates/:template", use: template)
        routes.get("v1/me", use: me)
    }

    private struct TemplateAnswer: Encodable, Sendable {
        var id: LowercaseID
        var title: String
        var description: String?
        var format, paper: String
        var questions: [QuestionAnswer]?

        init(_ template: TestTemplate, _ questions: [TestQuestion]? = nil) {
            id = LowercaseID(template.id)
            title = template.title
            description = template.description
            format = template.format
            paper = template.paper
            self.questions = questions?.map {
                QuestionAnswer(
                    id: LowercaseID($0.id), part: $0.part, order: $0.order, text: $0.text, question: $0.question)
            }
        }
    }

    private struct QuestionAnswer: Encodable, Sendable {
        var id: LowercaseID
        var part, order: Int
        var text, question: String
    }

    @Sendable private func templates(
        _ request: Request, _ context: ServerContext
    ) async throws -> some ResponseGenerator {
        let templates = try await services.owned(by: context.requireUser()).templates()
        return Answer(["templates": templates.map { TemplateAnswer($0) }])
    }

    @Sendable private func template(
        _ request: Request, _ context: ServerContext
    ) async throws -> some ResponseGenerator {
        let owned = services.owned(by: try context.requireUser())
        let id = try context.id("template", of: "template")
        guard let template = try await owned.template(id) else { throw APIProblem.missing("template") }
        return Answer(TemplateAnswer(template, try await owned.questions(of: id)))
    }

    @Sendable private func me(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        struct Me: Encodable, Sendable {
            var user: LowercaseID
            var development: Bool
        }
        return Answer(Me(user: LowercaseID(try context.requireUser()), development: services.settings.development))
    }
}
