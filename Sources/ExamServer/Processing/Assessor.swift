public import ExamStore

/// What listens to answers and says something about them: a scorer of somebody's own. Without one nothing is assessed, and results
/// say so.
public protocol Assessor: Sendable {
    /// Assesses one answer.
    ///
    /// - Parameters:
    ///   - path: of the recording, on this machine for as long as this runs: Ogg/Opus or WAV, 16 kHz mono.
    ///   - response: what is known of the answer; no words of a candidate's name.
    /// - Returns: what was found out. What is nil was not assessed; nothing is to be filled in.
    /// - Throws: anything: the job is tried again later, and kept for a person at last.
    func assess(_ path: String, of response: TestResponse) async throws -> ResponseResult

    /// Makes a session's result of its answers' (E5: round once, weigh by speech).
    func conclude(_ results: [ResponseResult], of session: TestSession) async throws -> StoredResult
}
