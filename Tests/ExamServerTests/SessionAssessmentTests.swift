import Assessment
import Foundation
import HTTPClient
import StoreTrials
import SystemSupport
import TestSupport
import Testing
import UploadQueue

@testable import ExamNode
@testable import ExamServer
@testable import ExamStore
@testable import RecordingStores
@testable import ServerWork

/// The server's own measures of a session, without an assessor, and their erasure.
@Suite(.bothStores) struct SessionAssessmentTests {
    private let user = UUID()
    private static let speech = "AudioFixtures/answers/building-1.flac"

    /// Sends a session with answers of real speech, and waits until they are measured.
    private func measured(
        _ server: RunningServer, answers: Int = 2, of speech: String = Self.speech, clipped: Bool = true,
        startedAt: String = "2026-11-21T09:12:29Z"
    ) async throws -> (path: String, id: UUID) {
        let held = try SessionTests.Held(
            answers: answers, speech: speech, clipped: clipped, startedAt: startedAt, in: server.folder)
        try await UploadQueueOf(server).send(held, RunningServer.token(of: user))
        let path = "/v1/sessions/\(held.facts.id.uuidString.lowercased())"
        try await eventually("the session is processed") {
            let session = try await server.ask("GET", path, as: user).object
            return (session["evaluation"] as? [String: Any])?["status"] as? String == "completed"
        }
        return (path, held.facts.id)
    }

    private func answers(_ assessment: [String: Any]) throws -> [[String: Any]] {
        try #require(assessment["answers"] as? [[String: Any]])
    }

    // MARK: - Measures

    @Test func everySessionIsMeasuredWithoutAnAssessor() async throws {
        let server = try await RunningServer()
        let (path, _) = try await measured(server)
        let found = try await server.ask("GET", path + "/assessment", as: user)
        #expect(found.status == 200)
        let assessment = found.object
        #expect((assessment["unmeasured"] as? [String]) == [])
        let expected = try RecordingOf.speech(Self.speech)
        for answer in try answers(assessment) {
            let delivery = try #require(answer["delivery"] as? [String: Any])
            let measures = try #require(delivery["measures"] as? [String: Double])
            #expect(measures["syllables"] == Double(expected.timeline.syllables.count))
            let pauses = try #require(answer["pauses"] as? [[String: Double]])
            #expect(pauses.count == Int(measures["pauses"] ?? -1))
            #expect(pauses.allSatisfy { $0["start"] ?? 0 < $0["end"] ?? 0 })
            #expect(delivery["version"] as? String == DeliveryProfile.version)
        }
        #expect(try answers(assessment).count == 2)
        // Each answer has at least ten seconds of speech. Together they have under a minute, so there is no verdict on
        // the exam.
        let exam = try #require(assessment["delivery"] as? [String: Any])
        #expect((exam["gates"] as? [String])?.contains("tooShort") == (exam["word"] == nil))
        #expect((assessment["notAssessed"] as? [[String: Any]])?.count == 5)
        await server.stop()
    }

    @Test func unmeasuredAnswersAreNamed() async throws {
        let server = try await RunningServer()
        let held = try SessionTests.Held(answers: 1, in: server.folder)
        let path = "/v1/sessions/\(held.facts.id.uuidString.lowercased())"
        try await UploadQueueOf(server).send(held, RunningServer.token(of: user))
        // Before processing and after it, an answer without measures is named, and has no figures.
        let early = try await server.ask("GET", path + "/assessment", as: user).object
        #expect(try answers(early).count + (early["unmeasured"] as? [String] ?? []).count == 1)
        #expect(early["delivery"] == nil || (early["unmeasured"] as? [String]) == [])
        let report = try await server.ask("GET", path + "/report", as: user)
        #expect(report.status == 200)
        await server.stop()
    }

    @Test func strangersSeeNothing() async throws {
        let server = try await RunningServer()
        let (path, id) = try await measured(server, answers: 1)
        let answer = try await server.services.owned(by: user).responses(of: id)[0].id.uuidString.lowercased()
        for stranger in [UUID(), nil] {
            let refusal = stranger == nil ? 401 : 404
            #expect(try await server.ask("GET", path + "/assessment", as: stranger).status == refusal)
            #expect(try await server.ask("GET", path + "/report", as: stranger).status == refusal)
            let typed = try await server.ask(
                "PUT", "\(path)/answers/\(answer)/transcript", ["text": "mine"], as: stranger)
            #expect(typed.status == refusal)
        }
        #expect(
            try await server.services.store.service.findings(
                AnswerTranscript.self, of: id, by: StoredExam.Finder.candidate
            ).isEmpty)
        await server.stop()
    }

    // MARK: - The report

    @Test func theReportIsOnePageThatMayDoNothingElse() async throws {
        let server = try await RunningServer()
        let (path, _) = try await measured(server)
        let report = try await server.ask("GET", path + "/report", as: user)
        #expect(report.status == 200)
        #expect(report.header("Content-Type") == "text/html; charset=utf-8")
        let policy = try #require(report.header("Content-Security-Policy"))
        #expect(policy.contains("default-src 'none'") && policy.hasSuffix("sandbox allow-scripts"))
        #expect(report.header("Cache-Control") == "no-store")
        let page = report.text
        #expect(page.components(separatedBy: "data:audio/").count == 3)
        #expect(page.contains("How it was delivered") && page.contains("class=\"wave\""))
        #expect(!page.contains("http://") && !page.contains("https://"))
        // Other answers have the server's usual policy.
        let other = try await server.ask("GET", path + "/assessment", as: user)
        #expect(other.header("Content-Security-Policy") == SecurityHeaders.policy)
        await server.stop()
    }

    @Test func anExamIsComparedWithEarlierOnesOfItsUser() async throws {
        let server = try await RunningServer()
        // Exams with less than a minute of speech do not compare.
        let talk = "AudioFixtures/answers/talk.flac"
        _ = try await measured(server, answers: 1, startedAt: "2026-11-17T09:00:00Z")
        let (first, _) = try await measured(server, of: talk, clipped: false, startedAt: "2026-11-19T09:00:00Z")
        let (second, _) = try await measured(server, of: talk, clipped: false, startedAt: "2026-11-20T09:00:00Z")
        // Another user's exam takes no part in the comparison.
        let held = try SessionTests.Held(
            answers: 1, speech: Self.speech, startedAt: "2026-11-18T09:00:00Z", in: server.folder)
        try await UploadQueueOf(server).send(held, RunningServer.token(of: UUID()))
        let (early, late) = (
            try await server.ask("GET", first + "/report", as: user).text,
            try await server.ask("GET", second + "/report", as: user).text
        )
        #expect(!early.contains("Compared with earlier exams"))
        #expect(late.contains("Compared with earlier exams") && late.contains("2026-11-19T09:00:00Z"))
        #expect(!late.contains("2026-11-18T09:00:00Z") && !late.contains("2026-11-17T09:00:00Z"))
        await server.stop()
    }

    // MARK: - Typed transcripts

    @Test func typedWordsAreStoredAndCounted() async throws {
        let server = try await RunningServer()
        let (path, id) = try await measured(server, answers: 1)
        let response = try await server.services.owned(by: user).responses(of: id)[0]
        let place = "\(path)/answers/\(response.id.uuidString.lowercased())/transcript"
        let text = "  It was\n a <b>bridge</b>\u{0}, I I think "
        #expect(try await server.ask("PUT", place, ["text": text], as: user).status == 204)
        func assessment() async throws -> [String: Any] {
            try await server.ask("GET", path + "/assessment", as: user).object
        }
        let transcript = try #require((try await assessment()["transcripts"] as? [[String: Any]])?.first)
        #expect(transcript["text"] as? String == "It was a <b>bridge</b> , I I think")
        #expect(transcript["source"] as? String == "own" && transcript["recording"] as? String == response.sha256)
        let words = try #require((try await assessment()["text"] as? [String: Any])?["exam"] as? [String: Any])
        #expect(words["words"] as? Int == 7 && words["wordsPerMinute"] as? Double ?? 0 > 10)
        let report = try await server.ask("GET", path + "/report", as: user).text
        #expect(report.contains("&lt;b&gt;bridge&lt;/b&gt;") && report.contains("as the candidate typed it"))

        // A later assessor adds its transcript, and doesn't replace the typed one.
        let heard = ResponseResult(response: response.id, transcript: "another")
        try await server.services.store.service.show(heard, isDone: true)
        #expect((try await assessment()["transcripts"] as? [Any])?.count == 1)

        // Typed again, and then removed.
        #expect(try await server.ask("PUT", place, ["text": "new"], as: user).status == 204)
        #expect((try await assessment()["transcripts"] as? [[String: Any]])?.first?["text"] as? String == "new")
        let long = String(repeating: "a", count: AssessmentRoutes.longest + 1)
        #expect(try await server.ask("PUT", place, ["text": long], as: user).status == 400)
        #expect(try await server.ask("PUT", place, ["text": " \n"], as: user).status == 204)
        #expect((try await assessment()["transcripts"] as? [Any])?.isEmpty == true)
        let nowhere = "\(path)/answers/\(UUID().uuidString.lowercased())/transcript"
        #expect(try await server.ask("PUT", nowhere, ["text": "x"], as: user).status == 404)
        await server.stop()
    }

    // MARK: - Erasing

    @Test func findingsAreErasedWithTheSession() async throws {
        let server = try await RunningServer()
        let (path, id) = try await measured(server, answers: 1)
        let response = try await server.services.owned(by: user).responses(of: id)[0]
        let place = "\(path)/answers/\(response.id.uuidString.lowercased())/transcript"
        #expect(try await server.ask("PUT", place, ["text": "words"], as: user).status == 204)
        let store = server.services.store.service
        #expect(try await store.findings(MeasuredSound.self, of: id, by: StoredExam.Finder.measurer).count == 1)
        #expect(try await server.ask("DELETE", path, as: user).status == 204)
        #expect(try await store.findings(MeasuredSound.self, of: id, by: StoredExam.Finder.measurer).isEmpty)
        #expect(
            try await store.findings(AnswerTranscript.self, of: id, by: StoredExam.Finder.candidate).isEmpty)
        for what in ["/assessment", "/report"] {
            #expect(try await server.ask("GET", path + what, as: user).status == 404)
        }
        // A late finding finds no answer, and is not stored.
        try await store.keep("late", of: response.id, by: StoredExam.Finder.candidate)
        #expect(try await store.findings(String.self, of: id, by: StoredExam.Finder.candidate).isEmpty)
        await server.stop()
    }

    @Test func sessionsGoByAge() async throws {
        try await withWorkerPlace { place, store in
            let services = try place.services(store)
            let exams = try LiveExams(services)
            let (young, _, _) = try await place.hold(services, answers: 1)
            let old = TestSession(
                id: UUID(), name: "old", format: "ielts-style", paper: "bridges", startedAt: "2020-01-01T00:00:00Z")
            let owner = services.owned(by: UUID())
            _ = try await owner.put(old)
            let answer = try await place.answer(services, owner, old.id, order: 1)
            let key = try #require(try await owner.recording(answer)?.key)
            let began = try #require(WallTime(utc: "2020-01-01T00:00:00Z"))
            func moment(_ days: Int) -> WallTime { WallTime(secondsSince1970: began.secondsSince1970 + days * 86_400) }
            let retention = Retention(services: services, exams: exams, days: 90)
            #expect(await retention.erase(at: moment(90)) == 0)
            #expect(await retention.erase(at: moment(91)) == 1)
            #expect(try await store.service.session(old.id) == nil)
            #expect(try await store.service.session(young) != nil)
            #expect(try await services.audio.size(of: AudioKey(key)!) == nil)
            #expect(await retention.erase(at: moment(91)) == 0)
        }
    }
}

/// The measures of a fixture that the server should find.
private enum RecordingOf {
    static func speech(_ path: String) throws -> MeasuredSound {
        var measurer = SoundMeasurer()
        try Programs.samples(of: path).withUnsafeBufferPointer { measurer.hear($0) }
        return measurer.measured()
    }
}
