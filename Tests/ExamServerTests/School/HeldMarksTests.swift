import Assessment
import Assessors
import ExamCore
import Foundation
import HTTPClient
import StoreTrials
import TestSupport
import Testing

@testable import ExamNode
@testable import ExamServer
@testable import ExamStore
@testable import ServerWork

/// A machine's mark that is held for a person: the exam joins the markers' queue by itself. Without markers, learner
/// and teacher read the reason.
@Suite(.bothStores) struct HeldMarksTests {
    /// A machine that marks everything with a 9, and reports that the answers instruct it.
    private struct Obedient: Assessor {
        let source = MarkSource(kind: .machine, id: "obedient", version: "1")

        func assess(_ answer: AnswerToAssess, _ calls: AssessorCalls) async throws(ServiceFailure) -> AssessorFinding {
            var finding = answer.finding(by: source)
            finding.suspectInstructions = true
            finding.evidence = Criterion.allCases.map {
                CriterionEvidence(
                    trait: MarkedTrait($0), scope: .answer(name: answer.record.name, speech: 1), source: source,
                    recordings: [answer.recording], outcome: .mark(9))
            }
            return finding
        }

        func preview(of answer: AnswerToAssess) -> [String] { [] }
    }

    private static let panel = AssessorPanel([.init(Obedient())])

    /// The exam ended before the server had markers, so the end of the exam asked no one.
    @Test func anExamWithAHeldMarkJoinsTheMarkersQueueOnce() async throws {
        try await withWorkerPlace { place, store in
            let alone = try place.services(store, assessors: Self.panel)
            let (session, _, _) = try await place.hold(alone, answers: 2)
            #expect(try await Workers(services: alone, count: 1).workOnce("w"))
            let service = store.service
            #expect(try await service.session(session)?.isHeld == true)
            #expect(try await service.marking(of: session).asked == 0, "this server has no markers")

            let school = try place.services(store, assessors: Self.panel) { $0.markers = 1 }
            for _ in 0..<2 {
                #expect(try await service.queueEvaluation(of: session, by: school.panel.version))
                #expect(try await Workers(services: school, count: 1).workOnce("w"))
                #expect(try await service.marking(of: session).asked == 1)
            }
            let marker = UUID()
            let task = try #require(try await service.takeNext(for: .init(marker)))
            #expect(task.session == session && task.isMarkHeld)
            let bands = Dictionary(uniqueKeysWithValues: Criterion.allCases.map { ($0, 5.0) })
            let kept = try await service.keep(
                sheet: MarksGiven(bands: bands), of: task.id, by: marker, rubric: Rubric.ieltsStyle.id,
                assessor: school.panel.version, needsThird: ResultRules.ielts.needsThird)
            #expect(kept == .saved)
            #expect(try await Workers(services: school, count: 1).workOnce("w"))
            let row = try #require(try await service.session(session))
            #expect(row.isHeld == false && row.overallBand == 5, "a person's mark counts, and nothing is held")
            #expect(try await service.marking(of: session).asked == 1)
        }
    }

    private func fluency(_ school: School, _ session: String, _ user: UUID, _ rights: RunningServer.Rights)
        async throws -> String
    {
        let told = try await school.ask("GET", "/v1/sessions/\(session)/assessment", as: user, rights).object
        let criteria = (told["marks"] as? [String: Any])?["criteria"] as? [String: [String: Any]]
        return (criteria?["fluency"]?["outcome"] as? [String: Any])?["missing"] as? String ?? "\(told)"
    }

    @Test func withoutMarkersLearnerAndTeacherReadTheReason() async throws {
        let school = try await School(assessors: Self.panel)
        let (session, learner) = try await school.sat()
        let reason = "obedient: held for a person: the answer or its question seems to give its marker instructions"
        #expect(try await fluency(school, session, learner, .noRole) == reason)
        #expect(try await fluency(school, session, school.teacher, .teacher(of: School.group)) == reason)
        let results = try await school.results(session, as: learner)
        #expect((results["session"] as? [String: Any])?["markHeld"] as? Bool == true)
        #expect(results["scores"] == nil && results["marking"] == nil)
        #expect(try await school.take(as: UUID()) == nil)
        await school.server.stop()
    }

    /// The marker reads that a mark waits. Which one, and why, would influence them.
    @Test func theMarkerReadsThatAMarkWaitsAndNothingOfIt() async throws {
        let school = try await School(assessors: Self.panel) { $0.markers = 1 }
        let (session, learner) = try await school.sat()
        let marker = UUID()
        let task = try #require(try await school.take(as: marker))
        let desk = try await school.ask("GET", "/v1/marking/\(task)", as: marker, .marker)
        #expect((desk.object["task"] as? [String: Any])?["markHeld"] as? Bool == true, "\(desk.text)")
        #expect(!desk.text.contains("obedient") && !desk.text.contains("instructions"))
        #expect(try await school.save(School.sheet(5), of: task, as: marker).status == 201)
        try await eventually("the person's marks are the result") {
            let results = try await school.results(session, as: learner)
            return (results["scores"] as? [String: Any])?["overall"] as? Double == 5
        }
        let results = try await school.results(session, as: learner)
        #expect((results["session"] as? [String: Any])?["markHeld"] == nil)
        let after = try await school.ask("GET", "/v1/marking/\(task)", as: marker, .marker)
        #expect(after.text.contains("instructions"), "the reason is shown after the marks were saved")
        await school.server.stop()
    }
}
