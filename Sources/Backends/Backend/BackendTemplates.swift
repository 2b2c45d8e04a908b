import BackendAPI
import Foundation
import HTTPClient
import SystemSupport
import UploadQueue

/// Templates of an Oracy backend. Each is a format and a paper, and is fetched as these files.
struct BackendTemplates: TemplateSource {
    let calls: BackendCalls

    func templates() async throws(DeliveryFailure) -> [ExamTemplate] {
        let response = try await calls.ask("GET", calls.routes.templates)
        guard let list = try? JSONDecoder().decodeForeign(TemplateList.self, from: Data(response.body)) else {
            throw BackendUploader.failure(response, as: .transient, "the backend's answer has no templates")
        }
        return list.templates.map {
            ExamTemplate(id: $0.id.id, title: $0.title, description: $0.description, difficulty: $0.difficulty)
        }.sorted { $0.title < $1.title }
    }

    func exam(_ template: UUID) async throws(DeliveryFailure) -> OfferedExam {
        let response = try await calls.ask("GET", calls.routes.exam(of: template), limits: .ofRecordings)
        guard let fields = (try? JSONSerialization.jsonObject(with: Data(response.body))) as? [String: Any],
            let format = fields["format"].flatMap(Self.file), let paper = fields["paper"].flatMap(Self.file)
        else {
            throw BackendUploader.failure(response, as: .transient, "the backend's answer has no format and paper")
        }
        return .files(format: format, paper: paper)
    }

    func recording(
        _ address: RecordingAddress, of template: UUID, otherThan etag: String?
    ) async throws(DeliveryFailure) -> FetchedRecording {
        let response = try await calls.ask(
            "GET", calls.routes.recording(address.name, of: template), etag.map { [("If-None-Match", $0)] } ?? [],
            limits: .ofRecordings, accepting: [304])
        return response.status == 304 ? .unchanged : response.recording
    }

    private static func file(_ value: Any) -> [UInt8]? {
        guard JSONSerialization.isValidJSONObject(value) else { return nil }
        return (try? JSONSerialization.data(withJSONObject: value)).map(Array.init)
    }
}
