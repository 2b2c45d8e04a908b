import BackendAPI
import ExamNode
import ExamStore
import Foundation
import HTTPTypes
import Hummingbird
import RecordingStores
import SystemSupport

/// Routes for the available exams with the ids of their questions, for the complete exam of a client that holds it
/// itself, and for the caller's identity.
struct TemplateRoutes {
    let services: Services
    let exams: TemplateExams

    func add(to routes: some RouterMethods<ServerContext>) {
        routes.get("v1/templates", use: templates)
        routes.get("v1/templates/:template", use: template)
        routes.get("v1/templates/:template/exam", use: exam)
        routes.get("v1/templates/:template/recording", use: recording)
        routes.get("v1/me", use: me)
    }

    @Sendable private func templates(_ request: Request, _ context: ServerContext) async throws -> Response {
        let user = try context.requireUser()
        let templates = try await services.owned(by: user).templates()
        // Clients of signed addresses use the same path, with their own names of fields.
        if let named = request.uri.queryParameters["user_id"] {
            return try SignedTemplateRoutes.list(templates, named: String(named), as: user)
        }
        return try Answer(TemplateList(templates: templates.map { TemplateRow($0) }))
            .response(from: request, context: context)
    }

    @Sendable private func template(
        _ request: Request, _ context: ServerContext
    ) async throws -> some ResponseGenerator {
        let owned = services.owned(by: try context.requireUser())
        let id = try context.id("template", of: "template")
        guard let template = try await owned.template(id) else { throw APIProblem.missing("template") }
        return Answer(TemplateRow(template, try await owned.questions(of: id)))
    }

    @Sendable private func exam(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try context.requireUser()
        guard let exam = exams.exam(try context.id("template", of: "template")) else {
            throw APIProblem.missing("template")
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return request.tagged(Array(try encoder.encode(exam)), "application/json")
    }

    @Sendable private func recording(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try context.requireUser()
        let id = try context.id("template", of: "template")
        guard let name = request.uri.queryParameters["name"].map(String.init) else {
            throw APIProblem.malformed("name: is missing.")
        }
        guard let bytes = await runBlocking({ exams.recording(name, of: id) }) else {
            throw APIProblem.missing("recording")
        }
        return request.tagged(bytes, mediaType(ofRecording: name))
    }

    @Sendable private func me(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        struct Me: Encodable, Sendable {
            var user: LowercaseID
            var development: Bool
            /// Whether the user signed in as a member of a class.
            var isMember: Bool
            /// The name of the school by which the user signed in. Nil otherwise.
            var school: String?
            /// The token's roles for other users' exams, and the token's groups.
            var roles, groups: [String]
        }
        let caller = try context.requireCaller()
        return Answer(
            Me(
                user: LowercaseID(caller.user), development: services.settings.development,
                isMember: context.isMember, school: context.school,
                roles: caller.roles.map(\.rawValue).sorted(), groups: caller.groups.sorted()))
    }
}

/// Returns a recording's media type by its name's suffix.
func mediaType(ofRecording name: String) -> String {
    let suffix = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
    return AudioMediaType(suffix: suffix)?.text ?? "application/octet-stream"
}

extension Request {
    /// Returns the answer to GET of bytes with their digest as the entity tag (RFC 9110, section 13).
    func tagged(_ bytes: [UInt8], _ mediaType: String) -> Response {
        let tag = "\"\(SHA256.hexadecimal(of: bytes))\""
        let own: HTTPFields = [.eTag: tag, .cacheControl: "private, no-cache"]
        if headers[.ifNoneMatch].map({ $0.contains(tag) || $0 == "*" }) == true {
            return Response(status: .notModified, headers: own)
        }
        var fields = own
        fields[.contentType] = mediaType
        return Response(status: .ok, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}

extension TemplateRow {
    init(_ template: TestTemplate, _ questions: [TestQuestion]? = nil) {
        self.init(
            id: template.id, title: template.title, description: template.description,
            difficulty: template.difficulty?.rawValue, format: template.format, paper: template.paper,
            questions: questions?.map(QuestionRow.init))
    }
}

extension QuestionRow {
    init(_ question: TestQuestion) {
        self.init(
            id: question.id, part: question.part, order: question.order, text: question.text,
            question: question.question, audio: question.audioURL, transcript: question.transcript,
            expectedDuration: question.expectedDuration, topicKeywords: question.topicKeywords)
    }
}
