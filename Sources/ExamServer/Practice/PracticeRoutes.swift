import ExamNode
import ExamStore
import Foundation
import HTTPTypes
import Hummingbird
import Learning
import ServerWork
import Study

/// Routes for a learner's practice: today's tasks, the learner's settings, the packs, and exporting or erasing
/// everything.
struct PracticeRoutes: Sendable {
    let services: Services
    let desk: PracticeDesk

    func add(to routes: some RouterMethods<ServerContext>) {
        routes.get("v1/practice", use: practice)
        routes.patch("v1/practice", use: change)
        routes.delete("v1/practice", use: erase)
        routes.get("v1/practice/packs", use: packs)
        routes.get("v1/practice/export", use: export)
    }

    // MARK: - Today

    @Sendable private func practice(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator
    {
        Answer(try await day(of: context.requireUser(), at: request.moment(services)))
    }

    private func day(of user: UUID, at moment: StudyMoment) async throws -> ToldDay {
        ToldDay(try await desk.day(of: user, at: moment))
    }

    private struct Change: Decodable {
        var minutesADay: Int?
        var restDays: [Int]?
        var pauseUntil: String?
        var endPause: Bool?

        func days(at moment: StudyMoment) throws(APIProblem) -> PracticeDays {
            var days = PracticeDays()
            if let minutesADay {
                try Field.number(minutesADay, "minutesADay", 1...240)
                days.minutes = minutesADay
            }
            if let restDays {
                guard restDays.count <= 7 else { throw .malformed("restDays: at most 7.") }
                for (place, day) in restDays.enumerated() { try Field.number(day, "restDays[\(place)]", 1...7) }
                days.restDays = Set(restDays).sorted()
            }
            if let pauseUntil {
                let day = try Field.day(pauseUntil, "pauseUntil")
                guard day >= moment.day else { throw .contradictory("pauseUntil: is over.") }
                days.pauseUntil = day
            }
            if endPause == true {
                guard pauseUntil == nil else { throw .contradictory("endPause: excludes pauseUntil.") }
                days.endsPause = true
            }
            return days
        }
    }

    @Sendable private func change(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        let user = try context.requireUser()
        let moment = try request.moment(services)
        let days = try await request.json(Change.self, context).days(at: moment)
        // Ending a pause that is over changes nothing.
        try await desk.take(of: user, at: moment) { _ = $0.change(days) }
        return Answer(try await day(of: user, at: moment))
    }

    // MARK: - Packs

    private struct Packs: Encodable, Sendable {
        struct Pack: Encodable, Sendable {
            var id, title: String
            var items: Int
            var progress: Double
            var due: Int
            var isOpen: Bool
            /// Whether it is made from a lesson.
            var lesson: Bool
            var topics: [String]
        }
        var packs: [Pack]
    }

    @Sendable private func packs(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        let user = try context.requireUser()
        return Answer(
            try await desk.take(of: user, at: request.moment(services)) { step in
                let (catalogue, history) = (step.content.catalogue, step.history)
                let all = DayLoad(.init(count: .max, onlyDue: true), of: catalogue, history, at: step.moment)
                let due = all.exercises.reduce(into: [String: Int]()) { $0[$1.pack, default: 0] += 1 }
                return Packs(
                    packs: catalogue.packs.map { pack in
                        Packs.Pack(
                            id: pack.id, title: pack.title, items: pack.items.count,
                            progress: history.progress(of: pack), due: due[pack.id] ?? 0,
                            isOpen: catalogue.isOpen(pack, history), lesson: step.content.lessons[pack.id] != nil,
                            topics: Set(pack.items.map(\.topic)).sorted())
                    })
            })
    }

    // MARK: - All data

    @Sendable private func erase(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        try await services.owned(by: try context.requireUser()).erasePractice()
        return HTTPResponse.Status.noContent
    }

    private struct Export: Encodable, Sendable {
        struct Task: Encodable, Sendable {
            var id, title, dueDate: String
            var isComplete: Bool
        }
        /// The lines in the form of the tool's `practice.log`.
        var lines: [String]
        var tests: [PracticeTest]
        var tasks: [Task]
    }

    /// The number of lines to read at a time.
    private static let page = 5_000

    @Sendable private func export(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        let owned = services.owned(by: try context.requireUser())
        let limits = services.settings.limits
        var lines: [String] = []
        while let read = try await owned.practiceLines(after: lines.count, knowing: lines.last, limit: Self.page) {
            lines += read.map(\.text)
            if read.count < Self.page { break }
        }
        let tests = try await owned.practiceTests(limit: limits.practiceTests).map { try $0.test() }
        let tasks = try await owned.practiceTasks(limit: limits.practiceTasks)
        return Answer(
            Export(
                lines: lines, tests: tests,
                tasks: tasks.map {
                    .init(id: OwnTask.name($0.id), title: $0.title, dueDate: $0.due, isComplete: $0.isComplete)
                }),
            headers: [.cacheControl: "no-store"])
    }
}
