import Foundation
import HTTPClient
import SystemSupport
import UploadQueue

/// Templates, questions and the examiner's recordings of a project: `test_templates`, `questions` and the bucket
/// `audio-question-set`.
struct SupabaseTemplates: TemplateSource {
    private let rows: SupabaseRows
    private let calls: SupabaseCalls

    private static let bucket = "audio-question-set"

    init(_ project: SupabaseProject, auth: SupabaseAuth, over exchange: any HTTPExchanging) {
        var calls = SupabaseCalls(project: project, auth: auth, exchange: exchange)
        calls.limits = .ofRecordings
        self.calls = calls
        rows = SupabaseRows(calls: calls)
    }

    func templates() async throws(DeliveryFailure) -> [ExamTemplate] {
        struct Row: Decodable {
            var id: UUID
            var title: String
            var description, difficultyLevel: String?
        }
        let found = try await rows.all(
            Row.self, "test_templates",
            where: "is_active=eq.true&select=id,title,description,difficulty_level&order=title.asc")
        return found.map {
            ExamTemplate(id: $0.id, title: $0.title, description: $0.description, difficulty: $0.difficultyLevel)
        }
    }

    func exam(_ template: UUID) async throws(DeliveryFailure) -> OfferedExam {
        let columns = [
            "id", "part_number", "question_order", "question_text", "audio_file_url", "transcript", "expected_duration",
            "topic_keywords",
        ].joined(separator: ",")
        let found = try await rows.all(
            QuestionColumns.self, "questions",
            where: "test_template_id=eq.\(template.name)&select=\(columns)&order=part_number.asc,question_order.asc")
        return .questions(found.map { $0.question { RecordingAddress(name: $0, url: address(of: $0)) } })
    }

    func recording(
        _ address: RecordingAddress, of template: UUID, otherThan etag: String?
    ) async throws(DeliveryFailure) -> FetchedRecording {
        let headers = etag.map { [("If-None-Match", $0)] } ?? []
        // The user's token goes only to the project.
        guard address.url.hasPrefix(calls.project.url + "/") else {
            return try await calls.exchange.recording(at: address.url, headers)
        }
        let answer = try await calls.ask(.storage, "GET", address.url, headers)
        if answer.response.status == 304 { return .unchanged }
        // A private bucket needs the user's token.
        let shared = "/object/public/"
        if answer.error != nil, address.url.contains(shared) {
            let own = address.url.replacing(shared, with: "/object/authenticated/", maxReplacements: 1)
            let second = try await calls.ask(.storage, "GET", own, headers)
            if second.response.status == 304 { return .unchanged }
            return try second.done().recording
        }
        return try answer.done().recording
    }

    /// Returns the address of a recording. `audio_file_url` contains a whole URL, or an object's path with or without
    /// its bucket.
    private func address(of text: String) -> String {
        if text.lowercased().hasPrefix("http://") || text.lowercased().hasPrefix("https://") { return text }
        var path = text.drop { $0 == "/" }
        if path.hasPrefix(Self.bucket + "/") { path = path.dropFirst(Self.bucket.count + 1) }
        let escaped = String(path).addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? String(path)
        return "\(calls.project.url)/storage/v1/object/public/\(Self.bucket)/\(escaped)"
    }
}

/// A row of `questions` in a project's table or in an API with signed addresses.
struct QuestionColumns: Decodable {
    var id: UUID
    var partNumber, questionOrder: Int
    var questionText: String?
    /// Present only in a project's table.
    var audioFileUrl: String?
    /// Present only in an API with signed addresses.
    var audioUrl, audioKey: String?
    var transcript: String?
    var expectedDuration: Double?
    var topicKeywords: Keywords?

    /// A list, or words separated by commas: the column is `text[]`, `jsonb` or `text`.
    struct Keywords: Decodable {
        var words: [String]

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if let words = try? value.decode([String].self) {
                self.words = words
            } else {
                words = try value.decode(String.self).split(separator: ",").map { String($0).trimmed }.filter {
                    !$0.isEmpty
                }
            }
        }
    }

    func question(_ address: (String) -> RecordingAddress) -> TemplateQuestion {
        let audio = audioUrl ?? audioFileUrl
        return TemplateQuestion(
            id: id, part: partNumber, order: questionOrder, text: questionText ?? "",
            recording: audio.flatMap { $0.isEmpty ? nil : address($0) }, transcript: transcript,
            expectedDuration: expectedDuration, topicKeywords: topicKeywords?.words)
    }
}
