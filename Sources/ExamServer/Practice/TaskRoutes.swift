import BackendAPI
import ExamCore
import ExamNode
import ExamStore
import Foundation
import HTTPTypes
import Hummingbird
import Learning
import Study
import SystemSupport

/// Routes for practice as a list of tasks, combined with the tasks that clients of the item bank store themselves, and
/// for the bank's questions.
struct TaskRoutes: Sendable {
    let services: Services
    let desk: PracticeDesk

    func add(to routes: some RouterMethods<ServerContext>) {
        routes.get("v1/tasks", use: tasks)
        routes.post("v1/tasks", use: add)
        routes.patch("v1/tasks", use: mark)
        routes.delete("v1/tasks", use: erase)
        routes.get("v1/questions", use: questions)
    }

    private struct Told: Encodable, Sendable {
        var id, title, dueDate: String
        var isComplete: Bool

        init(_ task: PracticeTask) {
            (id, title, dueDate, isComplete) = (task.id, task.title, task.moment.text, task.isComplete)
        }

        init(_ task: StoredTask) {
            (id, title, dueDate, isComplete) = (OwnTask.name(task.id), task.title, task.due, task.isComplete)
        }
    }

    private struct List: Encodable, Sendable { var tasks: [Told] }

    /// Returns the tasks: practice first, then the clients' own.
    @Sendable private func tasks(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        let user = try context.requireUser()
        let query = request.uri.queryParameters
        let limit = try request.limit(50)
        let words = ["true": true, "false": false]
        let onlyIncomplete = try query["incomplete"].map { (word) throws(APIProblem) in
            guard let isSo = words[String(word)] else { throw .malformed("incomplete: must be true or false.") }
            return isSo
        }
        let practised = try await desk.take(of: user, at: request.moment(services)) { $0.tasks.map(Told.init) }
        let own = try await services.owned(by: user).practiceTasks(limit: services.settings.limits.practiceTasks)
        let all = (practised + own.map(Told.init)).filter { onlyIncomplete != true || !$0.isComplete }
        return Answer(List(tasks: Array(all.prefix(limit))))
    }

    // MARK: - Changing

    @Sendable private func add(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        struct New: Decodable {
            var title, dueDate: String
            var isComplete: Bool?
        }
        let user = try context.requireUser()
        let new = try await request.json(New.self, context)
        try Field.text(new.title, "title", atMost: 1_000)
        let task = StoredTask(
            id: UUID(), title: new.title, due: try Field.zonedMoment(new.dueDate, "dueDate"),
            isComplete: new.isComplete ?? false)
        let most = services.settings.limits.practiceTasks
        guard try await services.owned(by: user).add(task, most: most) else {
            throw APIProblem(
                .tooManyRequests, "storage-full", "No room left", "You can keep \(most) tasks. Delete some.")
        }
        return Answer(Told(task), .created)
    }

    @Sendable private func mark(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        struct Mark: Decodable {
            var id: String
            var isComplete: Bool
        }
        let user = try context.requireUser()
        let mark = try await request.json(Mark.self, context)
        if let own = OwnTask.id(mark.id) {
            let owned = services.owned(by: user)
            guard try await owned.mark(practiceTask: own, isComplete: mark.isComplete) else { throw Self.noTask }
        } else {
            try await keep(mark.isComplete ? .complete : .incomplete, of: mark.id, user, request)
        }
        return HTTPResponse.Status.noContent
    }

    /// Erases a task. What was learned stays. If the item is practised again, the task returns.
    @Sendable private func erase(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        let user = try context.requireUser()
        guard let id = request.uri.queryParameters["id"].map(String.init) else {
            throw APIProblem.malformed("id: is missing.")
        }
        if let own = OwnTask.id(id) {
            guard try await services.owned(by: user).erasePracticeTask(own) else { throw Self.noTask }
        } else {
            try await keep(.deleted, of: id, user, request)
        }
        return HTTPResponse.Status.noContent
    }

    private static let noTask = APIProblem.missing("task")

    private func keep(
        _ mark: PracticeEvent.TaskMark, of id: String, _ user: UUID, _ request: Request
    ) async throws {
        let isKnown = try await desk.take(of: user, at: request.moment(services)) { $0.mark(id, as: mark) }
        guard isKnown else { throw Self.noTask }
    }

    // MARK: - The item bank

    private struct BankQuestion: Encodable, Sendable {
        var id, question: String
        var options: [String]
        var answerIndex: Int
        var explanation, topic, difficulty: String
        /// Whether the learner answered it in practice, and whether the last answer was right. Of several questions
        /// about one item only the last one that was answered counts.
        var isAnswered, isCorrect: Bool

        init?(_ question: PracticeQuestion, _ verdict: Verdict?) {
            guard case .multipleChoice(let key) = question.key else { return nil }
            (id, self.question, options, answerIndex) = (question.id, question.prompt, key.options, key.correct)
            (explanation, topic, difficulty) = (question.explanation, question.topic, question.difficulty.rawValue)
            (isAnswered, isCorrect) = (verdict != nil, verdict?.isRight == true)
        }
    }

    @Sendable private func questions(
        _ request: Request, _ context: ServerContext
    ) async throws -> some ResponseGenerator {
        let user = try context.requireUser()
        let query = request.uri.queryParameters
        let limit = try request.limit(20)
        let topic = query["topic"].map(String.init)
        if let topic { try Field.text(topic, "topic", atMost: 60) }
        let wish = try PaperWishFields(difficulty: query["difficulty"].map(String.init)).wish()
        let all = services.practice.bank.lazy.filter { question in
            (topic.map { $0.lowercased() == question.topic.lowercased() } ?? true)
                && (wish.difficulty.map { $0 == question.difficulty } ?? true)
        }
        let verdicts = try await desk.take(of: user, at: request.moment(services)) { step in
            // Two packs may have a question with the same id.
            let answered = step.history.memories.values.sorted { $0.lastAnswered.seconds < $1.lastAnswered.seconds }
            return Dictionary(
                answered.map { ($0.lastQuestion, $0.lastVerdict) }, uniquingKeysWith: { _, later in later })
        }
        return Answer(Array(all.compactMap { BankQuestion($0, verdicts[$0.id]) }.prefix(limit)))
    }
}

/// The ids of clients' own tasks among those of practice.
enum OwnTask {
    private static let prefix = "own-"

    static func name(_ id: UUID) -> String { prefix + id.name }

    /// Returns a task's own id. Nil for a task of practice.
    static func id(_ name: String) -> UUID? {
        name.hasPrefix(prefix) ? WrittenID(name.dropFirst(prefix.count))?.id : nil
    }
}

extension Request {
    /// Reads `?limit=20`: 1 to 200.
    ///
    /// - Throws: `APIProblem` 400.
    fileprivate func limit(_ usual: Int) throws(APIProblem) -> Int {
        guard let text = uri.queryParameters["limit"] else { return usual }
        guard text.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(text), 1...200 ~= number else {
            throw .malformed("limit: must be 1 to 200.")
        }
        return number
    }
}

extension Field {
    /// Checks a time with its offset from UTC.
    ///
    /// - Returns: the same text.
    /// - Throws: 400 if it is not in that form, 422 if the month has no such day.
    fileprivate static func zonedMoment(_ text: String, _ name: String) throws(APIProblem) -> String {
        let form =
            /20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](Z|[+\-](0[0-9]|1[0-4]):[0-5][0-9])/
        guard text.wholeMatch(of: form) != nil else {
            throw .malformed("\(name): must be a moment like 2026-11-25T12:00:00+01:00.")
        }
        guard StudyDay(String(text.prefix(10))) != nil else { throw .contradictory("\(name): there is no such day.") }
        return text
    }
}
