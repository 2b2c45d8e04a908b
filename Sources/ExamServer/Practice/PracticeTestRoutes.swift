import BackendAPI
import ExamNode
import ExamStore
import Foundation
import HTTPTypes
import Hummingbird
import Learning
import Papers
import ServerWork
import Study
import SystemSupport

/// Routes for a user's practice tests. They are drawn at once or written by a model over some time. Answers are stored
/// one by one, and the test is handed in like any submission.
struct PracticeTestRoutes: Sendable {
    let services: Services

    func add(to routes: some RouterMethods<ServerContext>) {
        routes.get("v1/practice-tests", use: tests)
        routes.post("v1/practice-tests", use: make)
        routes.get("v1/practice-tests/:test", use: test)
        routes.delete("v1/practice-tests/:test", use: erase)
        routes.post("v1/practice-tests/:test/start", use: start)
        routes.post("v1/practice-tests/:test/retry", use: retry)
        routes.put("v1/practice-tests/:test/answers/:question", use: answer)
    }

    // MARK: - Existing tests

    private struct Board: Encodable, Sendable {
        var current: ToldTest?
        var recent, scheduled, others: [ToldTest]
        /// The numbers for tests that were handed in.
        var count, questions: Int
        var averageScore: Double?
    }

    @Sendable private func tests(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        let owned = services.owned(by: try context.requireUser())
        let today = try request.moment(services).day
        let kept = try await owned.practiceTests(limit: services.settings.limits.practiceTests)
        let tests = try kept.map { try $0.test() }
        let byID = Dictionary(zip(tests.map(\.id), kept)) { first, _ in first }
        func told(_ test: PracticeTest) -> ToldTest? { byID[test.id].map { ToldTest($0, test, isWhole: false) } }
        let board = TestBoard(tests, today: today)
        return Answer(
            Board(
                current: board.current.flatMap(told), recent: board.recent.compactMap(told),
                scheduled: board.scheduled.compactMap(told), others: board.others.compactMap(told),
                count: board.recent.count, questions: board.questionCount, averageScore: board.averageScore))
    }

    @Sendable private func test(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        let owned = services.owned(by: try context.requireUser())
        guard let test = try await owned.practiceTest(try context.id("test", of: "test")) else {
            throw APIProblem.missing("test")
        }
        return Answer(try ToldTest(test, isWhole: true))
    }

    @Sendable private func erase(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        let owned = services.owned(by: try context.requireUser())
        guard try await owned.erasePracticeTest(try context.id("test", of: "test")) else {
            throw APIProblem.missing("test")
        }
        return HTTPResponse.Status.noContent
    }

    // MARK: - Making

    private struct Wanted: Decodable {
        var topics: [String]?
        var difficulty, scheduledFor, from, agreedTo, courseId, courseName: String?
        /// One of the two has to be there.
        var count, questionCount: Int?
        var seed: Int?

        func request() throws(APIProblem) -> PracticeTestRequest {
            guard let count = count ?? questionCount else { throw .malformed("count: is missing.") }
            guard 1...100 ~= count else { throw .malformed("count: must be 1 to 100.") }
            try courseId.map { (id) throws(APIProblem) in try Field.text(id, "courseId", atMost: 100) }
            try courseName.map { (name) throws(APIProblem) in try Field.text(name, "courseName", atMost: 200) }
            // The wishes that papers and tests share.
            let wish = try PaperWishFields(topics: topics, difficulty: difficulty, seed: seed).wish()
            guard ["bank", "model"].contains(from ?? "bank") else { throw .malformed("from: must be bank or model.") }
            return PracticeTestRequest(
                courseId: courseId, courseName: courseName, topics: wish.topics.map { $0.lowercased() },
                difficulty: wish.difficulty, questionCount: count,
                seed: wish.seed ?? .random(in: 0...UInt64(UInt32.max)))
        }
    }

    @Sendable private func make(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        let owned = services.owned(by: try context.requireUser())
        let wanted = try await request.json(Wanted.self, context)
        let id = UUID()
        var test = PracticeTest(id: id.name, try wanted.request(), bank: services.practice.bank)
        test.scheduledFor = try wanted.scheduledFor.map { (day) throws(APIProblem) in
            try Field.day(day, "scheduledFor").text
        }
        let isByModel = wanted.from == "model"
        if isByModel {
            try checkWriter(agreedTo: wanted.agreedTo)
        } else {
            if let unknown = test.request.unknownTopic(in: services.practice.bank) {
                throw APIProblem.malformed("topics[\(unknown.place)]: \(unknown.sentence).")
            }
            guard let drawn = DrawnTest(test.request, from: services.practice.bank) else {
                throw APIProblem.contradictory(
                    "count: the bank has only \(services.practice.bank.count) questions.")
            }
            try test.handle(.written(drawn.questions))
        }
        let limits = services.settings.limits
        let refusal = try await owned.add(
            StoredTest(test, id: id, isByModel: isByModel), most: limits.practiceTests,
            mostWritten: limits.papersWrittenPerDay)
        if let refusal { throw full(refusal) }
        guard let kept = try await owned.practiceTest(id) else { throw APIProblem.missing("test") }
        return Answer(try ToldTest(kept, isWhole: true), isByModel ? .accepted : .created)
    }

    private func checkWriter(agreedTo: String?) throws(APIProblem) {
        guard let writer = services.panel.writer else {
            throw .malformed("from: no model writes tests on this server; leave it out.")
        }
        if let recipient = writer.recipient, agreedTo != recipient {
            throw APIProblem(
                .forbidden, "consent-missing", "Your consent is missing",
                "\(writer.words ?? "") Send \"agreedTo\": \"\(recipient)\" if you agree.")
        }
    }

    private func full(_ refusal: TestRefusal) -> APIProblem {
        let limits = services.settings.limits
        let words =
            switch refusal {
            case .tests: "You can keep \(limits.practiceTests) tests. Erase one."
            case .written: "You can have \(limits.papersWrittenPerDay) tests written a day. Come back tomorrow."
            }
        return APIProblem(.tooManyRequests, "tests-used-up", "No room for another test", words)
    }

    // MARK: - Taking a test

    private func taking(_ owned: OwnedStore) -> TestTaking { TestTaking(on: StoreShelf(services, owned)) }

    private func told(_ id: UUID, of owned: OwnedStore) async throws -> ToldTest {
        guard let kept = try await owned.practiceTest(id) else { throw TakingRefusal.missing }
        return try ToldTest(kept, isWhole: true)
    }

    /// Starts a test, or continues one that was started.
    @Sendable private func start(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        let owned = services.owned(by: try context.requireUser())
        let id = try context.id("test", of: "test")
        _ = try await taking(owned).start(id.name)
        return Answer(try await told(id, of: owned))
    }

    @Sendable private func retry(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        let owned = services.owned(by: try context.requireUser())
        let id = try context.id("test", of: "test")
        let problem = APIProblem(
            .conflict, "not-failed", "Nothing to try again", "Only a test that failed can be tried again.")
        let mayWrite = services.panel.writer != nil
        let changed = try await StoreShelf(services, owned).change(test: id.name) { test in
            guard mayWrite, (try? test.handle(.retry)) != nil else { throw problem }
            if let generation = test.generation, generation.statistics.failed > 0, generation.attempt == nil {
                try test.generation?.handle(.retry, beside: KnownQuestions(services.practice.bank))
            }
        }
        guard changed != nil else { throw TakingRefusal.missing }
        return Answer(try await told(id, of: owned), .accepted)
    }

    /// Stores an answer at once. It can be changed until the test is handed in.
    @Sendable private func answer(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        struct Given: Decodable {
            var answer: AnyAnswer
            var seconds: Double?
        }
        let owned = services.owned(by: try context.requireUser())
        let id = try context.id("test", of: "test")
        let name = context.parameters.get("question")?.removingPercentEncoding ?? ""
        let given = try await request.json(Given.self, context)
        let seconds = try Field.seconds(given.seconds ?? 0, "seconds")
        _ = try await taking(owned).answer(name, of: id.name, in: .total(seconds)) { $0.taken(given.answer) }
        return HTTPResponse.Status.noContent
    }
}

extension APIProblem {
    static let notInProgress = APIProblem(
        .conflict, "not-in-progress", "Not in progress",
        "Answers are accepted after the test was started and before it is handed in.")

    /// Converts the reason why a test was not changed.
    init(_ refusal: TakingRefusal) {
        switch refusal {
        case .missing: self = .missing("test")
        case .notReady:
            self.init(
                .conflict, "test-not-ready", "The test is not ready",
                "The test is still being written, writing it failed, or it was handed in. Fetch it to see its state.")
        case .notInProgress: self = .notInProgress
        case .noQuestion: self = .missing("question")
        case .notAnAnswer: self = .contradictory("answer: this question is not answered that way.")
        }
    }
}

extension Field {
    /// Reads a day.
    ///
    /// - Throws: 400 if it is not in the form of a day, 422 if the month has no such day.
    static func day(_ text: String, _ name: String) throws(APIProblem) -> StudyDay {
        guard text.wholeMatch(of: /20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])/) != nil else {
            throw .malformed("\(name): must be a day like 2026-12-01.")
        }
        guard let day = StudyDay(text) else { throw .contradictory("\(name): there is no such day.") }
        return day
    }

    /// Returns the seconds spent on a question, at most a day.
    static func seconds(_ seconds: Double, _ name: String) throws(APIProblem) -> Double {
        guard seconds.isFinite, 0...86_400 ~= seconds else { throw .malformed("\(name): must be 0 to 86400.") }
        return seconds
    }
}
