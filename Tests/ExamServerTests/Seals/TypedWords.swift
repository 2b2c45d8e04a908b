import Assessment
import Assessors
import ExamCore
import Foundation
import HTTPClient
import StoreTrials
import SystemSupport
import Testing
import UploadQueue

@testable import ExamNode
@testable import ExamServer
@testable import ExamStore
@testable import ServerWork

/// A learner sends two seconds of sound and types 176 words. No machine marks typed words as if they were spoken.
@Suite(.bothStores) struct TypedWords {
    /// An assessor that gives a nine for any words, as a model would for these.
    private struct Judge: Assessor {
        let source = MarkSource(kind: .machine, id: "judge", version: "1")
        var needsWords: Bool { true }

        func assess(_ answer: AnswerToAssess, _ calls: AssessorCalls) async throws(ServiceFailure) -> AssessorFinding {
            Judge.finding(answer.finding(by: source), on: answer.words, answer.recording)
        }

        static func finding(
            _ empty: AssessorFinding, on words: AnswerTranscript?, _ recording: String
        ) -> AssessorFinding {
            var finding = empty
            guard let words else {
                finding.failure = "it has no transcript"
                return finding
            }
            finding.words = words.digest
            finding.evidence = Criterion.allCases.map {
                CriterionEvidence(
                    trait: MarkedTrait($0), scope: .answer(name: finding.answer, speech: 1), source: finding.source,
                    recordings: [recording], outcome: .mark(9))
            }
            return finding
        }

        func preview(of answer: AnswerToAssess) -> [String] { [] }
    }

    /// A recogniser that hears three words in every answer.
    private struct Ears: Assessor {
        let source = MarkSource(kind: .machine, id: "ears", version: "1")

        func assess(_ answer: AnswerToAssess, _ calls: AssessorCalls) async throws(ServiceFailure) -> AssessorFinding {
            var finding = answer.finding(by: source)
            finding.transcript = AnswerTranscript(
                answer: answer.record.name, recording: answer.recording, source: .recogniser,
                writtenAt: finding.saidAt, text: "I don't know")
            finding.transcript?.recogniser = source
            return finding
        }

        func preview(of answer: AnswerToAssess) -> [String] { [] }
    }

    private static let typed =
        "This is the highest level of English prose. "
        + String(
            repeating: "The intricate tapestry of urban development notwithstanding, I contend that cities flourish. ",
            count: 14)

    /// Sends a session with one answer, for which the learner types words before the end of the session.
    private func sit(_ school: School) async throws -> (path: String, learner: UUID, transcript: String) {
        let learner = UUID()
        var held = try SessionTests.Held(answers: 1, in: school.server.folder)
        held.uploads.removeLast()
        #expect(try await UploadQueueOf(school.server).send(held, RunningServer.token(of: learner)) == 2)
        let session = held.facts.id.uuidString.lowercased()
        let transcript = "/v1/sessions/\(session)/answers/\(held.uploads[1].id.uuidString.lowercased())/transcript"
        #expect(try await school.ask("PUT", transcript, ["text": Self.typed], as: learner).status == 204)
        let end: [String: Any] = [
            "id": UUID().uuidString, "session": session, "completedAt": "2026-11-22T09:10:00Z", "outcome": "completed",
            "answers": 1, "delivered": 1,
        ]
        let path = "/v1/sessions/\(session)"
        #expect(try await school.ask("PUT", path + "/completion", end, as: learner).status == 202)
        _ = try await school.marked(session, learner)
        return (path, learner, transcript)
    }

    @Test func typedWordsGetNoMark() async throws {
        #expect(Self.typed.split(separator: " ").count == 176)
        let school = try await School(assessors: AssessorPanel([.init(Judge())]))
        let (path, learner, transcript) = try await sit(school)
        let results = try await school.ask("GET", path + "/results", as: learner).object
        #expect(results["scores"] == nil, "nothing was heard, so nothing is marked")
        let assessment = try await school.ask("GET", path + "/assessment", as: learner).object
        // The words stay the learner's own, and are shown as such.
        let shown = try #require((assessment["transcripts"] as? [[String: Any]])?.first)
        #expect(shown["source"] as? String == "own")
        // The learner removes the words after the seal. The record has both steps.
        #expect(try await school.ask("PUT", transcript, ["text": ""], as: learner).status == 204)
        let seal = try await school.ask("GET", path + "/seal", as: learner).object
        let entries = (seal["entries"] as? [[String: Any]] ?? []).filter { $0["kind"] as? String == "transcript" }
        #expect(seal["state"] as? String == "sealed")
        #expect(entries.count == 2 && entries[0]["content"] != nil && entries[1]["content"] == nil)
        await school.server.stop()
    }

    @Test func aMarkRestsOnTheRecordingNotOnTypedWords() async throws {
        let school = try await School(assessors: AssessorPanel([.init(Ears()), .init(Judge())]))
        let (path, learner, transcript) = try await sit(school)
        let before = try await school.ask("GET", path + "/results", as: learner).object
        #expect((before["scores"] as? [String: Any])?["overall"] as? Double == 9)
        #expect((before["evidence"] as? [String: Any])?["state"] as? String == "sealed")
        // Other words, then none: everything that the mark rests on stays.
        for text in ["other words", ""] {
            #expect(try await school.ask("PUT", transcript, ["text": text], as: learner).status == 204)
            let after = try await school.ask("GET", path + "/assessment", as: learner).object
            let judged = (after["said"] as? [[String: Any]])?.first {
                ($0["source"] as? [String: Any])?["id"] as? String == "judge"
            }
            let heard = (after["said"] as? [[String: Any]])?.compactMap { $0["transcript"] as? [String: Any] }
            #expect(heard?.map { $0["text"] as? String } == ["I don't know"])
            #expect(judged?["words"] as? String == SHA256.hexadecimal(of: Array("I don't know".utf8)))
            #expect((after["evidence"] as? [String: Any])?["state"] as? String == "sealed")
        }
        await school.server.stop()
    }

    /// A mark that an earlier version based on typed words does not count, and is shown as stale.
    @Test func anEarlierMarkOfTypedWordsIsStale() async throws {
        let school = try await School(assessors: AssessorPanel([.init(Ears()), .init(Judge())]))
        let (path, learner, _) = try await sit(school)
        let session = try #require(UUID(uuidString: String(path.split(separator: "/").last!)))
        let response = try await school.server.services.owned(by: learner).responses(of: session)[0]
        let words = AnswerTranscript(
            answer: response.record.name, recording: response.sha256, source: .own, writtenAt: "2026-11-22T09:10:00Z",
            text: Self.typed)
        let old = MarkSource(kind: .machine, id: "judge", version: "0")
        let finding = Judge.finding(
            AssessorFinding(
                answer: response.record.name, recording: response.sha256, source: old, saidAt: "2026-11-22T09:10:00Z"),
            on: words, response.sha256)
        try await SaidOfAnswers.keep(finding, of: response.id, in: school.server.services.store.service)
        let assessment = try await school.ask("GET", path + "/assessment", as: learner).object
        let evidence = try #require(assessment["evidence"] as? [String: Any])
        #expect(evidence["state"] as? String == "stale")
        let stale = try #require((evidence["stale"] as? [[String: String]])?.first)
        #expect(stale["what"] == "judge" && stale["answer"] == response.record.name && stale["why"] != nil)
        let marks = try #require(assessment["marks"] as? [String: Any])
        let fluency = try #require((marks["criteria"] as? [String: [String: Any]])?["fluency"])
        #expect((fluency["evidence"] as? [Any])?.count == 1, "the only evidence is the mark for the recording")
        await school.server.stop()
    }
}
