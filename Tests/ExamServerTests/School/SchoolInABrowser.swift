import Foundation
import HTTPClient
import LoopbackServers
import StoreTrials
import Synchronization
import TestSupport
import Testing
import Waiting

@testable import ExamNode
@testable import ExamServer

/// A learner, a teacher and a marker, each in Chromium. Results grow while services judge, and a person's marks are
/// added.
@Suite(.needs(Trials.browserObstacle), .bothStores(quick: .postgres)) struct SchoolInABrowser {
    @Test func resultsGrowAndAMarkerMarks() async throws {
        let service = try ScriptedService()
        defer { service.stop() }
        let folder = try TemporaryFolder()
        let school = try await School(assessors: try service.panel(in: folder)) {
            $0.limits.requestsPerMinute = 100_000
        }
        let (ann, marker) = (UUID(), UUID())
        let session = try await school.sat(by: ann, speech: "AudioFixtures/answers/building-1.flac", isWaitedFor: false)
        _ = try await school.sat(in: ["another group"], isWaitedFor: false)
        let named = try await school.ask("PUT", "/v1/profile", ["fullName": "Ann of 7b"], as: ann)
        #expect(named.status == 200)
        try await PageScript.seen(
            "page-school.py",
            [
                school.server.url, service.url, session.id, School.group, "--learner",
                try await RunningServer.token(of: ann),
                "--teacher", try await RunningServer.token(of: school.teacher, .teacher(of: School.group)),
                "--marker", try await RunningServer.token(of: marker, .init(roles: ["marker"], groups: [School.group])),
            ], on: school.server)
        print("a school in a browser: grown, marked and read")
        await school.server.stop()
    }
}

/// A scripted service that transcribes and judges like OpenAI's. It answers each call only when it is allowed to.
private final class ScriptedService: Sendable {
    private let server: HTTPServer
    var url: String { server.url }

    /// The number of calls that may still be answered, and of recordings that were heard.
    private final class State: Sendable {
        let calls = Mutex((allowed: 0, heard: 0))

        /// Waits until a call is allowed.
        ///
        /// - Returns: The number of recordings so far. 0 if no call was allowed in time, and the test has failed.
        func wait(isRecording: Bool) -> Int {
            Patience.poll {
                calls.withLock { calls -> Int? in
                    guard calls.allowed > 0 else { return nil }
                    calls.allowed -= 1
                    if isRecording { calls.heard += 1 }
                    return calls.heard
                }
            } ?? 0
        }

        func allow(_ count: Int) { calls.withLock { $0.allowed += count } }
    }

    init() throws {
        let state = State()
        server = try HTTPServer { request in
            var text = ""
            switch request.path {
            case "/let": state.allow(1)
            case "/all": state.allow(1_000)
            case "/v1/audio/transcriptions":
                let subject = state.wait(isRecording: true) % 2 == 0 ? "She" : "He"
                text = "{\"text\":\"\(subject) don't like it when I am late.\"}"
            default:
                _ = state.wait(isRecording: false)
                let body = String(decoding: request.bytes, as: UTF8.self)
                text = Self.judgement(of: body.contains("She don") ? "She" : "He")
            }
            return HTTPResponse(
                status: 200, headers: ["content-type": "application/json"], body: Array(text.utf8))
        }
    }

    func stop() { server.stop() }

    private static func judgement(of subject: String) -> String {
        let said = """
            {"criteria":{"grammar":{"band":5.5,"because":"b","quotes":["\(subject) don't"]},"vocabulary":{"band":6,"quotes":["late"]},\
            "topicRelevance":{"band":null}},"mistakes":[{"quote":"\(subject) don't","start":0,"correction":"\(subject) doesn't",\
            "type":"grammar","category":"agreement"},{"quote":"made up","correction":"x"}],"strengths":["You speak on."],\
            "improvements":[],"suspect_instructions":false}
            """
        let content = String(decoding: (try? JSONEncoder().encode(said)) ?? Data(), as: UTF8.self)
        return "{\"choices\":[{\"message\":{\"content\":\(content)},\"finish_reason\":\"stop\"}]}"
    }

    /// Writes settings for a transcriber and a language model on this machine, and for one in a cloud to which the
    /// learner has not agreed.
    func panel(in folder: TemporaryFolder) throws -> AssessorPanel {
        let path = folder.path + "/assessors.json"
        let settings = """
            {"version": 1, "assessors": [
                {"kind": "transcriber", "id": "whisper", "interface": "openai", "address": "\(url)/v1", "model": "w"},
                {"kind": "language-model", "id": "llama", "interface": "openai", "address": "\(url)/v1", "model": "m"},
                {"kind": "language-model", "id": "cloud", "interface": "openai", "address": "http://cloud.invalid/v1", "model": "m"}
            ]}
            """
        try Data(settings.utf8).write(to: URL(filePath: path))
        return try AssessorPanel(file: path)
    }
}
