import BackendAPI
import ExamNode
import Foundation
import HTTPTypes
import Hummingbird
import Learning

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

    private static let notAsked = APIProblem(
        .conflict, "not-asked", "Another question is asked",
        "You are at another question or drill. Fetch the drill to see which.")

    // MARK: - Starting

    private struct Wanted: Decodable {
        var packs, topics: [String]?
        var difficulty: String?
        var count: Int?
        var onlyDue, extra, resume: Bool?

        /// Reads the wishes.
        ///
        /// - Throws: `APIProblem`: 400 with an invalid field or an unknown name, 422.
        func wish() throws(APIProblem) -> PracticeWish {
            let (packs, fields) = (packs ?? [], PaperWishFields(topics: topics, difficulty: difficulty))
            guard packs.count <= 100 else { throw .malformed("packs: at most 100.") }
            let catalogue = PracticeShelf.catalogue
            for (place, pack) in packs.enumerated() where catalogue.pack(pack) == nil {
                throw .malformed("packs[\(place)]: no pack has this id.")
            }
            let wish = try fields.wish()
            for (place, topic) in wish.topics.enumerated() where !PracticeShelf.topics.contains(topic.lowercased()) {
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
        let wish = try wanted.wish()
        let told = try await desk.take(of: user, at: request.moment(services)) { turn -> ToldDrill? in
            if wanted.resume == true { return turn.drill.map(ToldDrill.init) }
            // All its items are answered, or no longer in the packs, so it ends here.
            if let open = turn.history.openDrill, turn.drill == nil { turn.keep(.finished(drill: open.number)) }
            let load = DayLoad(wish, of: PracticeShelf.catalogue, turn.history, at: turn.moment)
            let drill = Drill(
                turn.history.lastDrill + 1, load.exercises, of: PracticeShelf.catalogue, turn.history)
            guard drill.phase != .finished else {
                throw APIProblem(
                    .conflict, "nothing-to-practise", "Nothing to practise",
                    "No such questions are left for today. Ask for a number of questions, or for extra practice.")
            }
            _ = turn.carryOut(drill.opening)
            turn.drill = drill
            return ToldDrill(drill)
        }
        guard let told else { throw Self.noDrill }
        return Answer(told, .created)
    }

    private static let noDrill = APIProblem(.notFound, "not-found", "Not found", "No drill is open.")

    @Sendable private func drill(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        let user = try context.requireUser()
        let told = try await desk.take(of: user, at: request.moment(services)) { $0.drill.map(ToldDrill.init) }
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
            try await desk.take(of: user, at: request.moment(services)) { turn in
                try Self.asked(by: sent, in: turn).map { try Self.answer(sent, to: $0, &turn) }
                    ?? Self.again(sent, turn.history)
            })
    }

    /// Returns the drill if it asks the answered question, and otherwise nil. Another node does not know which items
    /// were shown on this one, so items before the answered question count as shown.
    private static func asked(by sent: Sent, in turn: PracticeTurn) -> Drill? {
        guard var drill = turn.drill, drill.number == sent.number else { return nil }
        for _ in 0..<drill.count where drill.phase == .showing { _ = try? drill.handle(.next) }
        return drill.phase == .asking && drill.question?.id == sent.questionId ? drill : nil
    }

    private static func answer(_ sent: Sent, to drill: Drill, _ turn: inout PracticeTurn) throws -> ToldVerdict {
        var drill = drill
        guard let question = drill.question, let answer = question.taken(sent.answer) else {
            throw APIProblem.contradictory("answer: this question is not answered that way.")
        }
        let verdict = question.verdict(on: answer)
        let commands = try drill.handle(.answer(answer, seconds: sent.seconds ?? 0)) + drill.handle(.next)
        _ = turn.carryOut(commands)
        turn.drill = drill.phase == .finished ? nil : drill
        return ToldVerdict(verdict, of: question, ToldDrill(drill))
    }

    /// Returns the verdict of an answer that was just given, for a client that repeats it because it did not get the
    /// verdict.
    ///
    /// - Throws: `APIProblem` 409 for any other answer.
    private static func again(_ sent: Sent, _ history: PracticeHistory) throws(APIProblem) -> ToldVerdict {
        let catalogue = PracticeShelf.catalogue
        var last: (exercise: PracticeEvent.Exercise, verdict: Verdict)?
        var told: ToldDrill?
        if let open = history.openDrill, open.number == sent.number {
            last = open.answered.last.map { ($0.exercise, $0.verdict) }
            var drill = Drill(resuming: open, of: catalogue, history)
            if (try? drill.handle(.resume)) != nil { told = ToldDrill(drill) }
        } else if let finished = history.finishedDrills.last, finished.number == sent.number {
            let items = finished.packs.compactMap(catalogue.pack).flatMap(\.items)
            let item = items.first {
                let known = history.memories[$0.id]
                return known?.lastQuestion == sent.questionId && known?.lastAnswered == finished.moment
            }
            last = item.flatMap { item in
                history.memories[item.id].map {
                    (.init(memory: item.id, question: sent.questionId, role: .due), $0.lastVerdict)
                }
            }
            told = ToldDrill(finished)
        }
        guard let last, let told, last.exercise.question == sent.questionId,
            let question = catalogue.question(last.exercise)?.inOrder(of: UInt64(sent.number)),
            let answer = question.taken(sent.answer), question.verdict(on: answer) == last.verdict
        else { throw notAsked }
        return ToldVerdict(last.verdict, of: question, told)
    }

    /// Moves on from a shown item to the next. If a question is being asked, nothing changes.
    @Sendable private func next(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        struct Wanted: Decodable, Sendable { var number: Int }
        let user = try context.requireUser()
        let wanted = try await request.json(Wanted.self, context)
        try Field.number(wanted.number, "number", 1...Int(Int32.max))
        return Answer(
            try await desk.take(of: user, at: request.moment(services)) { turn in
                guard var drill = turn.drill, drill.number == wanted.number else { throw Self.notAsked }
                if drill.phase == .showing { _ = try drill.handle(.next) }
                turn.drill = drill
                return ToldDrill(drill)
            })
    }
}
