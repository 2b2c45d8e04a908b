import Foundation
import HTTPClient
import SystemSupport
import UploadQueue

/// Templates of an API with signed addresses. Its rows name a recording by a key and give an address that is valid for
/// now.
struct SignedURLTemplates: TemplateSource {
    private let routes: SignedURLRoutes
    private let user: String
    private let client: any HTTPExchanging
    private let token: BearerToken

    init(url: String, user: String, client: any HTTPExchanging, token: @escaping BearerToken) {
        routes = SignedURLRoutes(api: url)
        self.user = user
        self.client = client
        self.token = token
    }

    func templates() async throws(DeliveryFailure) -> [ExamTemplate] {
        struct List: Decodable {
            struct Row: Decodable {
                var id: UUID
                var title: String
                var description, difficultyLevel: String?
            }
            var templates: [Row]
        }
        let list = try await get(List.self, routes.templates(user: user), "templates")
        return list.templates.map {
            ExamTemplate(id: $0.id, title: $0.title, description: $0.description, difficulty: $0.difficultyLevel)
        }
        .sorted { $0.title < $1.title }
    }

    func exam(_ template: UUID) async throws(DeliveryFailure) -> OfferedExam {
        struct List: Decodable { var questions: [QuestionColumns] }
        let list = try await get(List.self, routes.questions(of: template, user: user), "questions")
        return .questions(
            list.questions.map { row in
                // A signed address differs each time, so the key or the address without its query identifies the
                // recording.
                row.question { RecordingAddress(name: row.audioKey ?? String($0.prefix { $0 != "?" }), url: $0) }
            })
    }

    func recording(
        _ address: RecordingAddress, of template: UUID, otherThan etag: String?
    ) async throws(DeliveryFailure) -> FetchedRecording {
        try await client.recording(at: address.url, etag.map { [("If-None-Match", $0)] } ?? [])
    }

    private func get<Value: Decodable>(
        _ type: Value.Type, _ url: String, _ what: String
    ) async throws(DeliveryFailure) -> Value {
        let response = try await client.answer(
            to: HTTPRequest("GET", url, headers: try await client.headers(token)))
        if [404, 405, 501].contains(response.status) {
            throw DeliveryFailure(
                .refused, code: "\(response.status)", message: "this API has no \(what); see docs/uploads.md")
        }
        guard response.status == 200 else {
            let error = ServerError(.plain, response)
            throw error.failure(because: ErrorTable.verdict(error))
        }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        guard let value = try? decoder.decodeForeign(type, from: Data(response.body)) else {
            throw DeliveryFailure(.transient, code: "200", message: "the answer has no \(what)")
        }
        return value
    }
}
