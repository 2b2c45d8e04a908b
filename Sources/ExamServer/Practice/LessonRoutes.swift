import ExamNode
import Foundation
import HTTPTypes
import Hummingbird
import Learning
import Study

/// Routes that list lessons, return them, and open them before their turn.
struct LessonRoutes: Sendable {
    let services: Services
    let desk: PracticeDesk

    func add(to routes: some RouterMethods<ServerContext>) {
        routes.get("v1/lessons", use: lessons)
        routes.get("v1/lessons/:lesson", use: lesson)
        routes.post("v1/lessons/:lesson/read") { try await take($0, $1) { $0.read(lesson: $1) } }
        routes.post("v1/lessons/:lesson/open") { try await take($0, $1) { $0.open(lesson: $1) } }
    }

    private struct Lessons: Encodable, Sendable {
        struct Category: Encodable, Sendable {
            var id, title: String
            /// The share of all items that the learner knows, 0 to 1.
            var progress: Double
            /// The number of lessons of which the learner knows every item.
            var completed: Int
            var lastStudied: StudyDay?
            var lessons: [OneLesson]
        }
        struct OneLesson: Encodable, Sendable {
            var id, title, topic: String
            var items: Int
            var levels: [String]
            var progress: Double
            /// The number of answers to its questions.
            var answers: Int
            var lastStudied: StudyDay?
            var isOpen, isRead: Bool
        }
        var categories: [Category]
    }

    @Sendable private func lessons(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator
    {
        let user = try context.requireUser()
        return Answer(
            try await desk.take(of: user, at: request.moment(services)) { step in
                let (catalogue, history) = (step.content.catalogue, step.history)
                return Lessons(
                    categories: LessonCategory.builtIn.map { category in
                        var all: [LessonProgress] = []
                        let lessons = category.lessons.compactMap { lesson in
                            let id = lesson.packID(in: category)
                            return catalogue.pack(id).map { pack in
                                let progress = LessonProgress(of: pack, history)
                                all.append(progress)
                                return Lessons.OneLesson(
                                    id: id, title: lesson.title, topic: lesson.topic, items: lesson.items.count,
                                    levels: Set(lesson.items.map(\.level.rawValue)).sorted(), progress: progress.share,
                                    answers: progress.answers, lastStudied: progress.lastStudied,
                                    isOpen: catalogue.isOpen(pack, history), isRead: history.readLessons.contains(id))
                            }
                        }
                        let progress = LessonProgress(all: all)
                        return Lessons.Category(
                            id: category.id, title: category.title, progress: progress.share,
                            completed: all.count(where: \.isComplete), lastStudied: progress.lastStudied,
                            lessons: lessons)
                    })
            })
    }

    private struct Whole: Encodable, Sendable {
        /// An item's own fields with its mastery.
        struct Item: Encodable, Sendable {
            var item: LessonItem
            var mastery: Int

            private enum Field: CodingKey { case mastery }

            func encode(to encoder: any Encoder) throws {
                try item.encode(to: encoder)
                var fields = encoder.container(keyedBy: Field.self)
                try fields.encode(mastery, forKey: .mastery)
            }
        }
        var id, title, category: String
        var items: [Item]
    }

    @Sendable private func lesson(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        let user = try context.requireUser()
        let id = try lesson(context)
        return Answer(
            try await desk.take(of: user, at: request.moment(services)) { step in
                guard let (category, lesson) = step.content.lessons[id] else { throw APIProblem.missing("lesson") }
                return Whole(
                    id: id, title: lesson.title, category: category.id,
                    items: lesson.items.map {
                        .init(item: $0, mastery: step.history.memories["\(id)/\($0.id)"]?.mastery ?? 0)
                    })
            })
    }

    private func lesson(_ context: ServerContext) throws(APIProblem) -> String {
        guard let id = context.parameters.get("lesson"), PracticeContent.builtIn.lessons[id] != nil else {
            throw .missing("lesson")
        }
        return id
    }

    /// Takes a step with a lesson.
    private func take(
        _ request: Request, _ context: ServerContext,
        _ step: @escaping @Sendable (inout PracticeStep, String) -> Void
    ) async throws -> HTTPResponse.Status {
        let user = try context.requireUser()
        let id = try lesson(context)
        try await desk.take(of: user, at: request.moment(services)) { step(&$0, id) }
        return .noContent
    }
}
