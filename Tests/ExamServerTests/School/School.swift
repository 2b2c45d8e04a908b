import Foundation
import HTTPClient
import TestSupport
import Testing
import UploadQueue

@testable import ExamNode
@testable import ExamServer

/// A school's server with completed exams.
struct School {
    let server: RunningServer
    let teacher = UUID()
    static let group = "7b, Mr O'Neil's"

    init(assessors: AssessorPanel = AssessorPanel(), _ change: (inout ServerSettings) -> Void = { _ in }) async throws {
        server = try await RunningServer(assessors: assessors, change)
    }

    /// Sends a completed session of a learner in groups.
    ///
    /// - Parameter isWaitedFor: Whether to wait for its evaluation.
    /// - Returns: Its id in lower case, and its learner.
    func sat(
        by learner: UUID = UUID(), in groups: [String] = [group], answers: Int = 2, speech: String? = nil,
        clipped: Bool = true, paper: String = "bridges",
        startedAt: String = "2026-11-21T09:12:29Z", isWaitedFor: Bool = true
    ) async throws -> (id: String, learner: UUID) {
        let held = try SessionTests.Held(
            answers: answers, speech: speech, clipped: clipped, startedAt: startedAt, paper: paper, in: server.folder)
        try await UploadQueueOf(server).send(
            held, RunningServer.token(of: learner, .init(groups: groups)))
        let id = held.facts.id.uuidString.lowercased()
        guard isWaitedFor else { return (id, learner) }
        try await eventually("the session is processed") {
            let session = try await server.ask("GET", "/v1/sessions/\(id)", as: learner).object
            return (session["evaluation"] as? [String: Any])?["status"] as? String == "completed"
        }
        return (id, learner)
    }

    func ask(
        _ method: String, _ path: String, _ json: Any? = nil, as user: UUID, _ rights: RunningServer.Rights = .noRole
    ) async throws -> HTTPClient.HTTPResponse { try await server.ask(method, path, json, as: user, rights) }

    /// Asks for markers of a session.
    func askForMarks(of session: String, by markers: Int) async throws {
        let asked = try await ask(
            "POST", "/v1/sessions/\(session)/marking", ["markers": markers], as: teacher, .teacher(of: Self.group))
        #expect(asked.status == 202, "\(asked.text)")
    }

    /// Takes the next task as a marker. Nil if none waits.
    func take(as marker: UUID, _ rights: RunningServer.Rights = .marker) async throws -> String? {
        let taken = try await ask("POST", "/v1/marking", as: marker, rights)
        if taken.status == 204 { return nil }
        #expect(taken.status == 201, "\(taken.text)")
        return taken.object["task"] as? String
    }

    func save(_ sheet: [String: Any], of task: String, as marker: UUID) async throws -> HTTPClient.HTTPResponse {
        try await ask("PUT", "/v1/marking/\(task)/sheet", sheet, as: marker, .marker)
    }

    static func sheet(_ band: Double, fluency: Double? = nil, comments: [[String: Any]] = []) -> [String: Any] {
        [
            "bands": ["fluency": fluency ?? band, "vocabulary": band, "grammar": band, "pronunciation": band],
            "comments": comments,
        ]
    }

    func results(_ session: String, as learner: UUID) async throws -> [String: Any] {
        try await ask("GET", "/v1/sessions/\(session)/results", as: learner).object
    }

    /// Returns the results once all markers have marked and the result is made.
    func marked(_ session: String, _ learner: UUID) async throws -> [String: Any] {
        try await eventually("the result is made") {
            try await results(session, as: learner)["status"] as? String == "evaluated"
        }
        return try await results(session, as: learner)
    }
}
