import BackendAPI
import ExamNode
import Foundation
import HTTPTypes
import Hummingbird
import Learning
import Study

/// Routes for drills. Any node can continue a drill, and each answer gets its verdict at once.
struct DrillRoutes: Sendable {
    let services: Services
    let desk: PracticeDesk

    func add(to routes: some RouterMethods<ServerContext>) {
        routes.post("v1/practice/drills", use: begin)
        routes.get("v1/practice/drill", use: drill)
        routes.post("v1/practice/drill/answers", use: answer)
        routes.post("v1/practice/drill/next", use: next)
    }

    // MARK: - Starting

    private struct Wanted: Decodable, Sendable {
        var packs, topics: [String]?
        var difficulty: String?
        var count: Int?
        var onlyDue, extra, resume: Bool?

        /// Reads the wishes.
        ///
        /// - Parameter content: the material that the learner can practise.
        /// - Throws: `APIProblem`: 400 with an invalid field or an unknown name, 422.
        func wish(in content: PracticeContent) throws(APIProblem) -> PracticeWish {
            let (packs, fields) = (packs ?? [], PaperWishFields(topics: topics, difficulty: difficulty))
            guard packs.count <= 100 else { throw .malformed("packs: at most 100.") }
            if let place = content.unknownPack(in: packs) {
                throw .malformed("packs[\(place)]: no pack has this id.")
            }
            let wish = try fields.wish()
            if let place = content.unknownTopic(in: wish.topics) {
                throw .malformed("topics[\(place)]: nothing is about that.")
            }
            try count.map { (count) throws(APIProblem) in try Field.number(count, "count", 1...200) }
            if onlyDue == true, extra == true {
                throw .contradictory("onlyDue and extra exclude each other.")
            }
            return PracticeWish(
                packs: packs, topics: wish.topics, difficulty: wish.difficulty, count: count,
                onlyDue: onlyDue ?? false, extra: extra ?? false)
        }
    }

    @Sendable private func begin(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        let user = try context.requireUser()
        let wanted = try await request.json(Wanted.self, context)
        let isResumed = wanted.resume == true
        let told = try await desk.take(of: user, at: request.moment(services)) { step in
            let wish = try wanted.wish(in: step.content)
            return (isResumed ? step.openDrill : step.begin(wish)).map { ToldDrill($0, step.content) }
        }
        guard let told else { throw isResumed ? Self.noDrill : Self.nothing }
        return Answer(told, .created)
    }

    private static let noDrill = APIProblem(.notFound, "not-found", "Not found", "No drill is open.")

    private static let nothing = APIProblem(
        .conflict, "nothing-to-practise", "Nothing to practise",
        "No such questions are left for today. Ask for a number of questions, or for extra practice.")

    @Sendable private func drill(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        let user = try context.requireUser()
        let told = try await desk.take(of: user, at: request.moment(services)) { step in
            step.openDrill.map { ToldDrill($0, step.content) }
        }
        guard let told else { throw Self.noDrill }
        return Answer(told)
    }

    // MARK: - Continuing

    private struct Sent: Decodable, Sendable {
        var number: Int
        var questionId: String
        var answer: AnyAnswer
        var seconds: Double?

        func check() throws(APIProblem) {
            try Field.number(number, "number", 1...Int(Int32.max))
            try Field.text(questionId, "questionId", atMost: 100)
            _ = try Field.seconds(seconds ?? 0, "seconds")
        }
    }

    @Sendable private func answer(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        let user = try context.requireUser()
        let sent = try await request.json(Sent.self, context)
        try sent.check()
        return Answer(
            try await desk.take(of: user, at: request.moment(services)) { step in
                let told = try step.answer(sent.number, sent.questionId, seconds: sent.seconds ?? 0) {
                    $0.taken(sent.answer)
                }
                return ToldVerdict(told, step.content)
            })
    }

    /// Moves on from a shown item to the next. If a question is being asked, nothing changes.
    @Sendable private func next(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        struct Wanted: Decodable, Sendable { var number: Int }
        let user = try context.requireUser()
        let wanted = try await request.json(Wanted.self, context)
        try Field.number(wanted.number, "number", 1...Int(Int32.max))
        return Answer(
            try await desk.take(of: user, at: request.moment(services)) { step in
                ToldDrill(try step.next(wanted.number), step.content)
            })
    }
}
