public import BackendAPI
public import Foundation
public import HTTPClient
public import UploadQueue

/// A client for quizzes at an Oracy backend: handing them in, their results, and the backend's item bank.
///
/// ```swift
/// let client = QuizClient(url: "https://exams.example.org", client: CurlClient(), token: { "…" })
/// var attempt = QuizAttempt(id: UUID())  // For a practice test: `QuizAttempt(of:)`.
/// attempt.handle(.answer(question: "food-1", .multipleChoice(selectedOption: 2)))
/// attempt = await client.submit(attempt)
/// ```
///
/// Call it from any thread. Without a network, `queued` makes an attempt wait on disk instead.
public struct QuizClient: Sendable {
    public let place: String
    private let calls: BackendCalls
    var routes: BackendRoutes { calls.routes }

    public init(url: String, client: any HTTPExchanging, token: @escaping BearerToken) {
        place = url
        calls = BackendCalls(url: url, client: client, token: token)
    }

    /// Hands in an attempt that is in progress.
    ///
    /// - Returns: The attempt: submitted, or in progress as before with the reason.
    public func submit(_ attempt: QuizAttempt) async -> QuizAttempt {
        var attempt = attempt
        guard attempt.handle(.submit) else { return attempt }
        do throws(SubmissionFailure) {
            attempt.handle(.succeeded(try await handIn(attempt)))
        } catch {
            attempt.handle(.failed(error))
        }
        return attempt
    }

    /// Opens an own quiz, so that it can be handed in. An open one stays as it is.
    ///
    /// - Parameter template: The backend's template to which its questions belong; nil for none.
    /// - Returns: The state of the quiz.
    public func open(_ id: UUID, template: UUID? = nil) async throws(SubmissionFailure) -> SubmissionState {
        let body = try Self.body(of: NewSubmissionRow(id: id, template: template))
        return try await ask(SubmissionState.self, "POST", calls.routes.submissions, body: body)
    }

    private func handIn(_ attempt: QuizAttempt) async throws(SubmissionFailure) -> QuizSubmissionResponse {
        do throws(SubmissionFailure) {
            return try await submit(attempt.submission, of: attempt.id)
        } catch {
            // The quiz may not be open yet. Opening one that is open changes nothing.
            guard attempt.isOwn, error.kind == .inconsistent else { throw error }
            _ = try await open(attempt.id)
            return try await submit(attempt.submission, of: attempt.id)
        }
    }

    /// Hands in answers. They count once, however often they are sent. An own quiz has to be open.
    public func submit(
        _ request: QuizSubmissionRequest, of id: UUID
    ) async throws(SubmissionFailure) -> QuizSubmissionResponse {
        let body = try Self.body(of: request)
        return try await ask(QuizSubmissionResponse.self, "POST", calls.routes.submission(id), body: body)
    }

    /// Fetches the state of a submission.
    public func state(of id: UUID) async throws(SubmissionFailure) -> SubmissionState {
        try await ask(SubmissionState.self, "GET", calls.routes.submission(id))
    }

    /// Fetches questions of the item bank.
    ///
    /// - Parameters:
    ///   - topic: nil for any.
    ///   - difficulty: `Easy`, `Medium` or `Hard`; nil for any.
    ///   - limit: 1 to 200.
    public func questions(
        topic: String? = nil, difficulty: String? = nil, limit: Int = 20
    ) async throws(SubmissionFailure) -> [QuizQuestion] {
        try await ask(
            [QuizQuestion].self, "GET", calls.routes.questions(topic: topic, difficulty: difficulty, limit: limit))
    }

    /// Stores a task of an application: a question that was completed.
    public func keep(_ task: QuizTask) async throws(SubmissionFailure) {
        _ = try await answer("POST", calls.routes.tasks, body: try Self.body(of: task))
    }

    /// Returns an attempt as an upload, which waits on disk until there is a network.
    ///
    /// - Throws: `serialisationFailed`.
    public static func queued(_ attempt: QuizAttempt) throws(SubmissionFailure) -> Upload {
        Upload(
            submitting: String(decoding: try body(of: attempt.submission), as: UTF8.self), of: attempt.id,
            isOwn: attempt.isOwn)
    }

    // MARK: - Asking

    static func body(of value: some Encodable) throws(SubmissionFailure) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(value) else {
            throw SubmissionFailure(.serialisationFailed, "Your answers cannot be written as JSON.")
        }
        return Array(data)
    }

    func ask<Value: Decodable>(
        _ type: Value.Type, _ method: String, _ url: String, body: [UInt8]? = nil
    ) async throws(SubmissionFailure) -> Value {
        let response = try await answer(method, url, body: body)
        guard let value = try? JSONDecoder().decode(type, from: Data(response.body)) else {
            throw SubmissionFailure(.inconsistent, "\(place) gave an unexpected answer.")
        }
        return value
    }

    func answer(
        _ method: String, _ url: String, body: [UInt8]?
    ) async throws(SubmissionFailure) -> HTTPResponse {
        do throws(DeliveryFailure) {
            return try await calls.ask(
                method, url, body == nil ? [] : [("Content-Type", "application/json")],
                body: body.map { .bytes($0) } ?? .none)
        } catch {
            throw SubmissionFailure(error, at: place)
        }
    }
}

/// The state of a quiz at a backend.
public struct SubmissionState: Codable, Equatable, Sendable {
    /// Whether a grade will come.
    public enum Grading: String, Codable, Equatable, Sendable {
        /// Some questions aren't in the item bank, so no grade will come.
        case never = "none"
        case waiting, done
    }

    /// Nil until the first answers have arrived.
    public var attemptId: UUID?
    /// `inProgress`, `submitted`, then `graded`. A practice test may be in other states before.
    public var state: String
    /// Nil until all answers have arrived, and from an older backend.
    public var grading: Grading?
    /// Present once the quiz is graded.
    public var right, count, percentage: Int?

    public var isGraded: Bool { state == "graded" }

    /// Whether the state is final, so that asking again is useless.
    public var isFinal: Bool { isGraded || grading == .never }

    /// A backend of version 1.0.0 sends `state` only for practice tests, and `status` for other quizzes.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        attemptId = try fields.decodeIfPresent(UUID.self, forKey: .attemptId)
        if let state = try fields.decodeIfPresent(String.self, forKey: .state) {
            self.state = state
        } else {
            let status = try decoder.container(keyedBy: OlderKeys.self).decode(String.self, forKey: .status)
            state = status == "in_progress" ? "inProgress" : status
        }
        // An unknown word of a newer backend is ignored.
        grading = try fields.decodeIfPresent(String.self, forKey: .grading).flatMap(Grading.init(rawValue:))
        right = try fields.decodeIfPresent(Int.self, forKey: .right)
        count = try fields.decodeIfPresent(Int.self, forKey: .count)
        percentage = try fields.decodeIfPresent(Int.self, forKey: .percentage)
    }

    private enum CodingKeys: CodingKey { case attemptId, state, grading, right, count, percentage }
    private enum OlderKeys: CodingKey { case status }
}

/// A multiple-choice question of a backend's item bank.
public struct QuizQuestion: Codable, Equatable, Sendable, Identifiable {
    public var id: String
    public var question: String
    public var options: [String]
    /// The index of the right option, from 0.
    public var answerIndex: Int
    public var explanation: String
    public var topic, difficulty: String
}

/// Something that was completed, as an application records it.
public struct QuizTask: Codable, Equatable, Sendable {
    public var title: String
    /// ISO 8601.
    public var dueDate: String
    public var isComplete: Bool

    public init(title: String, dueDate: String, isComplete: Bool) {
        (self.title, self.dueDate, self.isComplete) = (title, dueDate, isComplete)
    }
}
