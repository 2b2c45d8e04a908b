import ExamNode
import ExamStore
import Foundation
import HTTPTypes
import Hummingbird
import SystemSupport

/// Routes that list the available exams for clients of signed addresses, with these clients' names of fields:
///
/// | request | answer |
/// |---|---|
/// | `GET /v1/templates?user_id=` | 200 `{"templates":[{id, title, description, difficulty_level}]}` |
/// | `GET /v1/templates/{id}/questions?user_id=` | 200 `{"questions":[{id, part_number, question_order, question_text, …}]}` |
/// | `GET` of an `audio_url` | the recording: no token needed until the address expires |
struct SignedTemplateRoutes: Sendable {
    let services: Services
    let exams: TemplateExams
    /// The secret. Nil if it cannot be stored. Then no address can be signed, and questions have none.
    let secret: UploadSecret?

    func add(to routes: some RouterMethods<ServerContext>) {
        routes.get("v1/templates/:template/questions", use: questions)
        routes.get("v1/template-recordings/:ticket", use: recording)
    }

    static func list(_ templates: [TestTemplate], named: String, as user: UUID) throws -> Response {
        struct Row: Encodable {
            var id, title: String
            var description, difficultyLevel: String?
        }
        try SignedUploadRoutes.check(named, is: user)
        let rows = templates.map {
            Row(
                id: $0.id.name, title: $0.title, description: $0.description,
                difficultyLevel: $0.difficulty?.rawValue)
        }
        return try SignedUploadRoutes.json(["templates": rows])
    }

    private struct Question: Encodable {
        var id: String
        var partNumber, questionOrder: Int
        var questionText: String
        /// All three or none. Without a recording, the client's voice speaks the words.
        var audioUrl, audioKey: String?
        var expiresIn: Int?
        var transcript: String?
        var expectedDuration: Double?
        var topicKeywords: [String]?
    }

    @Sendable private func questions(_ request: Request, _ context: ServerContext) async throws -> Response {
        let user = try context.requireUser()
        if let named = request.uri.queryParameters["user_id"] { try SignedUploadRoutes.check(String(named), is: user) }
        let id = try context.id("template", of: "template")
        let owned = services.owned(by: user)
        guard try await owned.template(id) != nil else { throw APIProblem.missing("template") }
        let origin = services.settings.nodeURL ?? request.origin
        let end = Int(services.clock().timeIntervalSince1970) + SignedUploadRoutes.seconds
        let questions = try await owned.questions(of: id).map { question in
            var row = Question(
                id: question.id.name, partNumber: question.part, questionOrder: question.order,
                questionText: question.text, transcript: question.transcript,
                expectedDuration: question.expectedDuration, topicKeywords: question.topicKeywords)
            if let name = question.audioURL, let secret {
                let ticket = RecordingTicket(template: id, recording: name, end: end)
                row.audioUrl = "\(origin)/v1/template-recordings/\(secret.signed(ticket))"
                row.audioKey = "\(id.name)/\(name)"
                row.expiresIn = SignedUploadRoutes.seconds
            }
            return row
        }
        return try SignedUploadRoutes.json(["questions": questions])
    }

    @Sendable private func recording(_ request: Request, _ context: ServerContext) async throws -> Response {
        guard let secret, let text = context.parameters.get("ticket"),
            let ticket = secret.opened(text, as: RecordingTicket.self)
        else { throw SignedUploadRoutes.notOurs }
        guard Double(ticket.end) > services.clock().timeIntervalSince1970 else { throw SignedUploadRoutes.expired }
        guard let bytes = await runBlocking({ exams.recording(ticket.recording, of: ticket.template) }) else {
            throw APIProblem.missing("recording")
        }
        return request.tagged(bytes, mediaType(ofRecording: ticket.recording))
    }
}

/// Permission to GET one recording of an exam until it expires, contained in an address signed by this server.
struct RecordingTicket: Codable, Equatable, Sendable {
    var template: UUID
    /// The recording's name in the exam.
    var recording: String
    /// The expiry in seconds since 1970.
    var end: Int
}
