import ExamNode
import ExamStore
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import SystemSupport

/// Routes for teachers, who see their groups' exams and have them marked, and for candidates, who see who read their
/// exams.
struct GroupRoutes: Sendable {
    let services: Services

    func add(to routes: some RouterMethods<ServerContext>) {
        routes.get("v1/groups/:group/sessions", use: sessions)
        routes.post("v1/sessions/:session/marking", use: askForMarks)
        routes.get("v1/readings", use: readings)
    }

    private struct GroupPage: Encodable, Sendable {
        var sessions: [One]
        var next: String?

        struct One: Encodable, Sendable {
            var session: SessionAnswer
            var learner: Learner
            var scores: ScoresAnswer?
            var marking: MarkingAnswer?

            private enum CodingKeys: CodingKey { case learner, scores, marking }

            func encode(to encoder: any Encoder) throws {
                try session.encode(to: encoder)
                var fields = encoder.container(keyedBy: CodingKeys.self)
                try fields.encode(learner, forKey: .learner)
                try fields.encodeIfPresent(scores, forKey: .scores)
                try fields.encodeIfPresent(marking, forKey: .marking)
            }
        }

        struct Learner: Encodable, Sendable {
            var user: LowercaseID
            var username, fullName: String?
        }
    }

    @Sendable private func sessions(
        _ request: Request, _ context: ServerContext
    ) async throws -> some ResponseGenerator {
        let caller = try context.require(.teacher)
        guard let group = context.parameters.get("group")?.removingPercentEncoding, caller.groups.contains(group),
            let reader = caller.readers.first
        else { throw APIProblem.missing("group") }
        let (page, kind) = (try PageWish(request), try SessionKind(request))
        let service = services.store.service
        let found = try await service.sessions(
            in: group, by: reader, limit: page.limit, before: page.before, papers: kind?.papers ?? .all)
        try await SessionAccess(services: services).note("list", of: found.map { ($0.session.id, $0.user) }, by: reader)
        var list: [GroupPage.One] = []
        for one in found {
            let marking = try await service.marking(of: one.session.id)
            list.append(
                .init(
                    session: SessionAnswer(one.session),
                    learner: .init(
                        user: LowercaseID(one.user), username: one.profile.username, fullName: one.profile.fullName),
                    scores: ScoresAnswer(one.session.scores, overall: one.session.overallBand),
                    marking: MarkingAnswer(marking)))
        }
        return Answer(GroupPage(sessions: list, next: page.next(after: found.map(\.session))))
    }

    @Sendable private func askForMarks(
        _ request: Request, _ context: ServerContext
    ) async throws -> some ResponseGenerator {
        struct Wanted: Decodable { var markers: Int }
        let caller = try context.requireCaller()
        guard !caller.readers.isEmpty else { throw APIProblem.notFor(.teacher) }
        let session = try context.id("session", of: "session")
        let wanted = try await request.json(Wanted.self, context)
        try Field.number(wanted.markers, "markers", 1...2)
        guard try await SessionAccess(services: services).theirs(session, by: caller.readers) != nil else {
            throw APIProblem.missing("session")
        }
        guard try await services.store.service.askForMarks(of: session, markers: wanted.markers) else {
            throw APIProblem(
                .conflict, "not-over", "The exam is not over", "It can be marked when it is over and has an answer.")
        }
        services.note(.marksAsked, session, ["markers": "\(wanted.markers)"])
        return HTTPResponse.Status.accepted
    }

    @Sendable private func readings(
        _ request: Request, _ context: ServerContext
    ) async throws -> some ResponseGenerator {
        struct Told: Encodable, Sendable {
            var readings: [One]

            struct One: Encodable, Sendable {
                var at: String
                var session: LowercaseID
                var role, what: String
            }
        }
        let owned = services.owned(by: try context.requireUser())
        let lines = try await owned.readings(limit: 200)
        return Answer(
            Told(
                readings: lines.map {
                    .init(at: $0.at, session: LowercaseID($0.session), role: $0.role, what: $0.what)
                }))
    }
}

/// The progress of an exam's marking in the form for clients. Nil if marking was not requested.
struct MarkingAnswer: Encodable, Sendable {
    var asked: Int
    var done: Int

    init?(_ marking: Marking) {
        if marking.asked == 0 { return nil }
        asked = marking.asked
        done = marking.done
    }
}

/// The requested page of sessions: `?limit=20&before=…`.
struct PageWish {
    var limit: Int
    var before: PageCursor?

    /// Reads the query.
    ///
    /// - Throws: `APIProblem` 400, 422.
    init(_ request: Request) throws(APIProblem) {
        let query = request.uri.queryParameters
        limit = 20
        if let text = query["limit"] {
            guard let number = Int(text), 1...100 ~= number else { throw .malformed("limit: must be 1 to 100.") }
            limit = number
        }
        if let text = query["before"] {
            guard let place = PageCursor(String(text)), place.description == text,
                (try? Field.moment(String(text.prefix(20)), "before")) != nil
            else { throw .contradictory("before: must be the \"next\" of a page.") }
            before = place
        }
    }

    /// Returns the beginning of the next page. Nil if this page is not full.
    func next(after sessions: [TestSession]) -> String? {
        sessions.count == limit ? sessions.last.map { PageCursor(after: $0).description } : nil
    }
}
