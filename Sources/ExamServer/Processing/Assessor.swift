public import ExamStore
public import Foundation
import UploadQueue

/// What listens to answers and says what it finds in them: a scorer of your own. Without one nothing is assessed, and results
/// say so.
///
/// ```swift
/// struct WordCounter: Assessor {
///     let version = "words/1"
///     func assess(_ request: AssessmentRequest) async throws -> ResponseResult {
///         ResponseResult(response: request.response.id, transcript: try await transcript(of: request.path))
///     }
/// }
/// let exams = try await ExamBackend(services, signIn: .tokens(keys), assessor: WordCounter())
/// ```
/// It is asked once for each answer and version, and what it said is kept: only a call whose findings were not stored when its process
/// ended is made again, with the same `AssessmentRequest.key`.
public protocol Assessor: Sendable {
    /// Who assesses, and by which rules: `azure/en-GB/bands-3`. 1 to 100 characters. Under a new version answers may be assessed again
    /// (`ExamBackend.assess`), and new ones are assessed by it.
    var version: String { get }

    /// How many answers of a session are asked about at a time, by each worker: 4 where nothing else is said.
    var callsAtOnce: Int { get }

    /// Assesses one answer, for as long as it takes.
    ///
    /// - Returns: what was found. What is nil was not assessed; nothing is to be filled in. An `error` is final, and kept with the
    ///   answer.
    /// - Throws: anything: it is asked again later, and the job is kept for a person at last. A task that is cancelled should end.
    func assess(_ request: AssessmentRequest) async throws -> ResponseResult

    /// Is told of an answer whose recording this server cannot decode (a browser's WebM, say), and may have other means. Where it is not
    /// implemented, the answer's result is that it cannot be assessed, and why.
    ///
    /// - Parameter reason: one sentence, for people.
    func assess(undecodable request: AssessmentRequest, because reason: String) async throws -> ResponseResult

    /// Makes a session's result of its answers' (E5: round once, weigh by speech); asked again when an answer comes late. Nothing where
    /// it is not implemented.
    ///
    /// - Parameter answers: in the order of the exam; those that could not be assessed say why (`error`).
    func result(of session: TestSession, from answers: [ResponseResult]) async throws -> StoredResult
}

extension Assessor {
    public var callsAtOnce: Int { 4 }

    public func assess(
        undecodable request: AssessmentRequest, because reason: String
    ) async throws -> ResponseResult {
        ResponseResult(response: request.response.id, error: reason)
    }

    public func result(of session: TestSession, from answers: [ResponseResult]) async throws -> StoredResult {
        StoredResult()
    }
}

/// An answer that is to be assessed.
public struct AssessmentRequest: Sendable {
    /// Of the recording, on this machine for as long as the call runs: what the client sent, by `response.mediaType`.
    public let path: String
    /// What is known of the answer; no words of a candidate's name.
    public let response: TestResponse
    /// The same however often this version is asked about this answer: an idempotency key for services that know such keys.
    public let key: UUID
    /// 1; more where an earlier call may have been carried out, and paid for, but nobody kept what it found.
    public let attempt: Int

    init(path: String, response: TestResponse, version: String, attempt: Int) {
        self.path = path
        self.response = response
        key = DeliveryID.make("assessment/\(version)", of: response.id)
        self.attempt = attempt
    }
}
