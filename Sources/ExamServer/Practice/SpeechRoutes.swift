import ExamNode
import Foundation
import HTTPTypes
import Hummingbird
import Learning
import Study

/// Routes for the spoken parts of listening questions, in the examiner's voice.
struct SpeechRoutes: Sendable {
    private let exams: LiveExams
    private let sounds: ClipSounds

    init(exams: LiveExams) {
        self.exams = exams
        sounds = ClipSounds(folder: exams.settings.folder + "/clips")
    }

    func add(to routes: some RouterMethods<ServerContext>) {
        routes.get("v1/practice/speech/:pack/:question", use: speech)
        routes.get("v1/lessons/:lesson/items/:item/speech", use: item)
    }

    @Sendable private func item(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try context.requireUser()
        guard let (_, lesson) = context.parameters.get("lesson").flatMap({ PracticeContent.builtIn.lessons[$0] }),
            let item = lesson.items.first(where: { $0.id == context.parameters.get("item") })
        else { throw APIProblem.missing("item") }
        return try await exams.said(item.title, by: sounds, for: request, context)
    }

    @Sendable private func speech(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try context.requireUser()
        let pack = context.parameters.get("pack").flatMap(exams.services.practice.catalogue.pack)
        let id = context.parameters.get("question")
        guard let words = pack?.items.lazy.flatMap(\.questions).first(where: { $0.id == id })?.speech else {
            throw APIProblem.missing("question that says anything")
        }
        return try await exams.said(words, by: sounds, for: request, context)
    }
}
