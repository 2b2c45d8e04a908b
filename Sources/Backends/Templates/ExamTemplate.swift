public import Foundation
import UploadQueue

/// An exam that a backend offers, without its questions: a row of `test_templates`.
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

/// A question of a template: a row of `questions`. An answer refers to it by this id, at any place in the exam.
public struct TemplateQuestion: Codable, Equatable, Sendable {
    public var id: UUID
    /// 1, 2 or 3.
    public var part: Int
    /// In ascending order within the part. No two are equal.
    public var order: Int
    public var text: String
    /// The examiner's recording; nil if this machine's voice speaks the question.
    var recording: RecordingAddress?
    public var transcript: String?
    /// The usual length of an answer in seconds.
    public var expectedDuration: Double?
    public var topicKeywords: [String]?
}

/// The address of an examiner's recording.
struct RecordingAddress: Codable, Equatable, Sendable {
    /// A name that never changes. The recording is cached under it.
    var name: String
    /// The present address; the same as the name if the backend has no other.
    var url: String
}

/// The content of a template.
enum OfferedExam: Sendable {
    /// Questions, to be asked by the rules of one of Oracy's formats.
    case questions([TemplateQuestion])
    /// The format and paper with which the backend holds its own exams, as the files that it sends.
    case files(format: [UInt8], paper: [UInt8])
}

/// The result of fetching a recording.
enum FetchedRecording: Sendable {
    /// The cached recording is up to date.
    case unchanged
    case bytes([UInt8], mediaType: String, etag: String?)
}

/// A source of templates. Each kind of backend has its own.
protocol TemplateSource: Sendable {
    /// Fetches the templates that are offered now, sorted by title.
    func templates() async throws(DeliveryFailure) -> [ExamTemplate]

    /// - Throws: `refused` if the template doesn't exist.
    func exam(_ template: UUID) async throws(DeliveryFailure) -> OfferedExam

    /// - Parameter etag: The etag of the cached bytes; nil if none are cached.
    func recording(
        _ address: RecordingAddress, of template: UUID, otherThan etag: String?
    ) async throws(DeliveryFailure) -> FetchedRecording
}
