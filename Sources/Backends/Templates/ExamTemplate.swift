public import Foundation
import UploadQueue

/// An exam that a backend offers, without its questions: a row of `test_templates` (D2).
public struct ExamTemplate: Codable, Equatable, Sendable {
    public var id: UUID
    public var title: String
    public var description: String?
    /// The backend's own word: `Easy`, `Medium`, `Hard`.
    public var difficulty: String?

    public init(id: UUID, title: String, description: String? = nil, difficulty: String? = nil) {
        self.id = id
        self.title = title
        self.description = description
        self.difficulty = difficulty
    }
}

/// A question of a template: a row of `questions` (D3). Whoever answers it names it by this id, wherever in an exam it was asked.
public struct TemplateQuestion: Codable, Equatable, Sendable {
    public var id: UUID
    /// 1, 2 or 3.
    public var part: Int
    /// Ascending in the part; no two alike.
    public var order: Int
    public var text: String
    /// The examiner's voice; nil: it is spoken by this machine's.
    var recording: RecordingAddress?
    public var transcript: String?
    /// Seconds an answer usually takes.
    public var expectedDuration: Double?
    public var topicKeywords: [String]?
}

/// Where a recording of the examiner's can be had.
struct RecordingAddress: Codable, Equatable, Sendable {
    /// The same however often the backend is asked: what it is cached under.
    var name: String
    /// Where it is to be had now; the name where the backend has no other.
    var url: String
}

/// What a backend offers under one template.
enum OfferedExam: Sendable {
    /// Questions, to be asked by the rules of a format of ours.
    case questions([TemplateQuestion])
    /// The very format and paper that the backend's own exams are held with, as the files they come from.
    case files(format: [UInt8], paper: [UInt8])
}

/// A recording as it came.
enum FetchedRecording: Sendable {
    /// What is cached is what there is.
    case unchanged
    case bytes([UInt8], mediaType: String, etag: String?)
}

/// Where templates come from: each backend has its way.
protocol TemplateSource: Sendable {
    /// Those that are offered now, by title.
    func templates() async throws(DeliveryFailure) -> [ExamTemplate]

    /// - Throws: `refused` where there is no such template.
    func exam(_ template: UUID) async throws(DeliveryFailure) -> OfferedExam

    /// - Parameter etag: of the bytes that are cached; nil where none are.
    func recording(
        _ address: RecordingAddress, of template: UUID, otherThan etag: String?
    ) async throws(DeliveryFailure) -> FetchedRecording
}
