import BackendAPI
import ExamCore
import Foundation
import HTTPClient
import SystemSupport
import UploadQueue

/// The API that signs upload addresses, as its reference server implements it.
///
/// | request | answer |
/// |---|---|
/// | `GET /quota?user_id=` | `{allowed, tier, used, limit, remaining, message}` |
/// | `POST /generate-upload-url` `Place` | `{upload_url, key, expires_in}`; the reference server says `r2_key` for `key` |
/// | `PUT` to `upload_url` | of the storage: 200, 201 or 204 |
/// | `POST /upload-complete` `Stored` | 200 |
/// | `POST /evaluate` `Evaluation` | 202; 200 or 409 if it was requested before |
/// | `GET /health` | 200 `{status, …}` |
/// | `GET /templates?user_id=` | `{templates: [{id, title, description, difficulty_level}]}`; the reference server has none |
/// | `GET /templates/{id}/questions?user_id=` | `{questions: [{id, part_number, question_order, question_text, audio_url, audio_key, …}]}` |
///
/// All requests except the PUT carry `Authorization: Bearer …`.
struct SignedURLRoutes {
    /// The address without a slash at its end.
    private let api: String

    init(api: String) {
        var api = api[...]
        while api.last == "/" { api.removeLast() }
        self.api = String(api)
    }

    var generate: String { "\(api)/generate-upload-url" }
    var complete: String { "\(api)/upload-complete" }
    var evaluate: String { "\(api)/evaluate" }
    var health: String { "\(api)/health" }

    func quota(user: String) -> String { "\(api)/quota?user_id=\(user.inQuery)" }
    func templates(user: String) -> String { "\(api)/templates?user_id=\(user.inQuery)" }
    func questions(of template: UUID, user: String) -> String {
        "\(api)/templates/\(template.name)/questions?user_id=\(user.inQuery)"
    }

    /// The purpose of an upload address. The same answer has the same place. A server that makes the key from these
    /// fields alone, like the reference server, therefore gives it the same object.
    struct Place: Encodable {
        var userId: String
        /// The session's id.
        var testId: String
        /// `part1`, `part2`, `part3`.
        var partType: String
        /// The question's id, with `_a2` for a second attempt, whose recording would otherwise replace the first one's.
        var questionId: String
        /// The extension with its dot: `.opus`.
        var fileExtension: String

        init(user: String, _ upload: Upload, _ facts: AnswerRecord, _ file: UploadFile) {
            userId = user
            testId = upload.session.id.name
            partType = "part\(facts.part)"
            questionId = facts.question + (facts.attempt > 1 ? "_a\(facts.attempt)" : "")
            fileExtension = ".\(file.suffix)"
        }
    }

    struct Address: Decodable {
        var uploadURL: String
        var key: String

        enum Field: String, CodingKey {
            case uploadURL = "upload_url"
            case key
            case r2Key = "r2_key"
        }

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: Field.self)
            uploadURL = try fields.decode(String.self, forKey: .uploadURL)
            key = try fields.decodeIfPresent(String.self, forKey: .key) ?? fields.decode(String.self, forKey: .r2Key)
        }
    }

    /// Reports that the object is stored. The reference server and its specification name some fields differently, so
    /// both are sent.
    struct Stored: Encodable {
        var responseId: String
        var key: String
        var r2Key: String
        var userId: String
        var testId: String
        var testSessionId: String
        var templateId: String
        var partType: String
        var questionId: String
        /// Always false: a session is evaluated when it is complete.
        var triggerEvaluation = false

        init(_ upload: Upload, _ place: Place, key: String, template: String) {
            responseId = upload.id.name
            self.key = key
            r2Key = key
            userId = place.userId
            testId = place.testId
            testSessionId = place.testId
            templateId = template
            partType = place.partType
            questionId = place.questionId
        }
    }

    struct Evaluation: Encodable {
        var sessionId: String
        var userId: String
        var templateId: String
    }

    struct Quota: Decodable {
        var allowed: Bool?
        var used: Int?
        var limit: Int?
        var remaining: Int?
        var message: String?

        var isUsedUp: Bool { allowed.map { !$0 } ?? remaining.map { $0 <= 0 } ?? false }

        var explanation: String {
            if let message, !message.isEmpty { return message }
            return used.flatMap { used in limit.map { "the quota is used up: \(used) of \($0)" } }
                ?? "the quota is used up"
        }
    }

    /// Encodes JSON with names in the API's form: `user_id`.
    static func json(_ value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array((try? encoder.encode(value)) ?? Data())
    }

    static func read<Value: Decodable>(_ type: Value.Type, _ response: HTTPResponse) -> Value? {
        try? JSONDecoder().decodeForeign(type, from: Data(response.body))
    }
}
