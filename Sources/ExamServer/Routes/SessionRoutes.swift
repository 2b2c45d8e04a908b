import BackendAPI
import ExamNode
import ExamStore
import Foundation
import HTTPTypes
import Hummingbird
import ServerWork
import SystemSupport

/// Routes for sessions and answers held elsewhere, as the uploader's `BackendRoutes` sends them, and for erasing
/// sessions.
///
/// Every write is a PUT to an address that the client chose, so repeating it changes nothing.
struct SessionRoutes {
    let services: Services
    let exams: LiveExams

    func add(to routes: some RouterMethods<ServerContext>) {
        routes.get("v1/sessions", use: list)
        routes.put("v1/sessions/:session", use: putSession)
        routes.get("v1/sessions/:session", use: session)
        routes.delete("v1/sessions/:session", use: erase)
        routes.put("v1/sessions/:session/answers/:answer/recording", use: putRecording)
        routes.get("v1/sessions/:session/answers/:answer/recording", use: recording)
        routes.put("v1/sessions/:session/answers/:answer", use: putAnswer)
        routes.put("v1/sessions/:session/completion", use: complete)
    }

    // MARK: Sessions

    @Sendable private func list(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        let owned = services.owned(by: try context.requireUser())
        let page = try PageWish(request)
        let kind = try SessionKind(request)
        struct Page: Encodable, Sendable {
            var sessions: [SessionAnswer]
            var next: String?
        }
        let sessions = try await owned.sessions(limit: page.limit, before: page.before, papers: kind?.papers)
        return Answer(Page(sessions: sessions.map { SessionAnswer($0) }, next: page.next(after: sessions)))
    }

    @Sendable private func putSession(
        _ request: Request, _ context: ServerContext
    ) async throws -> some ResponseGenerator {
        let caller = try context.requireCaller()
        let owned = services.owned(by: caller.user)
        let id = try context.id("session", of: "session")
        let row = try await request.json(SessionRow.self, context)
        var session = try row.session(id)
        if try await owned.session(id) == nil { try await Quota(of: owned.user, services).admitSession() }
        // Custom papers are not templates here.
        if let template = session.templateID, try await owned.template(template) == nil { session.templateID = nil }
        let written = try await owned.put(
            session, in: caller.groupsAsLearner, within: services.settings.limits.forSessions)
        return try Self.written(written, "session")
    }

    @Sendable private func session(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator
    {
        let id = try context.id("session", of: "session")
        let owned = try await SessionAccess(services: services).reading(id, .session, by: context.requireCaller())
        guard let (session, evaluation) = try await owned.sessionWithEvaluation(id) else {
            throw APIProblem.missing("session")
        }
        return Answer(SessionAnswer(session, evaluation))
    }

    @Sendable private func erase(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        let id = try context.id("session", of: "session")
        guard try await Erasing(services: services, exams: exams).erase(id, of: context.requireUser()) else {
            throw APIProblem.missing("session")
        }
        return HTTPResponse.Status.noContent
    }

    @Sendable private func complete(
        _ request: Request, _ context: ServerContext
    ) async throws -> some ResponseGenerator {
        let owned = services.owned(by: try context.requireUser())
        let id = try context.id("session", of: "session")
        let completion = try await request.json(CompletionRow.self, context).completion(of: id)
        switch try await owned.complete(id, completion) {
        case .created, .changed:
            await services.seal(id)
            return HTTPResponse.Status.accepted
        case .same: return HTTPResponse.Status.noContent
        case .refused, .parentMissing: throw APIProblem.parentMissing("session")
        }
    }

    // MARK: Answers

    @Sendable private func putRecording(
        _ request: Request, _ context: ServerContext
    ) async throws -> some ResponseGenerator {
        let (session, answer) = (try context.id("session", of: "session"), try context.id("answer", of: "answer"))
        return try await RecordingIntake(services).put(
            request, user: context.requireUser(), session: session, answer: answer)
    }

    @Sendable private func recording(
        _ request: Request, _ context: ServerContext
    ) async throws -> some ResponseGenerator {
        let (session, answer) = (try context.id("session", of: "session"), try context.id("answer", of: "recording"))
        let owned = try await SessionAccess(services: services).reading(
            session, .recording(answer.name), by: context.requireCaller())
        guard let recording = try await owned.recording(answer), recording.session == session else {
            throw APIProblem.missing("recording")
        }
        return try await RecordingAnswer(recording, in: services.audio).response(to: request, name: answer.name)
    }

    @Sendable private func putAnswer(
        _ request: Request, _ context: ServerContext
    ) async throws -> some ResponseGenerator {
        let owned = services.owned(by: try context.requireUser())
        let (session, answer) = (try context.id("session", of: "session"), try context.id("answer", of: "answer"))
        let response = try await request.json(AnswerRow.self, context).response(answer, of: session)
        guard let row = try await owned.session(session) else { throw APIProblem.parentMissing("session") }
        // Missing answers will never be accepted: the client need not try again.
        if let refusal = row.refusal, try await owned.response(answer)?.session != session { throw refusal }
        guard let recording = try await owned.recording(answer), recording.session == session else {
            throw APIProblem.parentMissing("recording")
        }
        guard recording.sha256 == response.sha256 else {
            throw APIProblem(
                .conflict, "other-bytes", "Different bytes",
                "recording.sha256: is not that of the stored recording.")
        }
        return try Self.written(await owned.put(response), "session")
    }

    private static func written(_ written: UpsertResult, _ parent: String) throws(APIProblem) -> HTTPResponse.Status {
        switch written {
        case .created: .created
        case .same, .changed: .noContent
        // The id belongs to another user. A stranger must not learn that.
        case .refused: throw .missing(parent)
        case .parentMissing: throw .parentMissing(parent)
        }
    }
}
