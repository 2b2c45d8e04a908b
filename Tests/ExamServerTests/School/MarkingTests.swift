import Assessment
import Assessors
import ExamCore
import Foundation
import HTTPClient
import LoopbackServers
import StoreTrials
import TestSupport
import Testing

@testable import ExamNode
@testable import ExamServer
@testable import ExamStore

/// Markers mark exams without seeing names, each other's marks or a machine's. A third marker decides if two differ.
@Suite(.bothStores) struct MarkingTests {
    private let ada = UUID()
    private let bo = UUID()
    private let cy = UUID()

    /// A machine that marks everything with a 4.
    private struct Strict: Assessor {
        let source = MarkSource(kind: .machine, id: "strict", version: "1")

        func assess(_ answer: AnswerToAssess, _ calls: AssessorCalls) async throws(ServiceFailure) -> AssessorFinding {
            var finding = answer.finding(by: source)
            finding.evidence = Criterion.allCases.map {
                CriterionEvidence(
                    trait: MarkedTrait($0), scope: .answer(name: answer.record.name, speech: 1), source: source,
                    recordings: [answer.recording], outcome: .mark(4))
            }
            return finding
        }

        func preview(of answer: AnswerToAssess) -> [String] { [] }
    }

    @Test func aMarkedExamHasItsBandAndItsSource() async throws {
        let school = try await School(assessors: AssessorPanel([.init(Strict())]))
        let (session, learner) = try await school.sat()
        _ = try await school.ask("PUT", "/v1/profile", ["fullName": "Lena Learner"], as: learner)
        #expect(((try await school.marked(session, learner))["scores"] as? [String: Any])?["overall"] as? Double == 4)
        try await school.askForMarks(of: session, by: 1)
        let task = try #require(try await school.take(as: ada))

        // Nothing on the desk identifies the learner, the date or the machine's opinion.
        let before = try await school.ask("GET", "/v1/marking/\(task)", as: ada, .marker)
        #expect(before.status == 200)
        for word in [session, learner.uuidString.lowercased(), "Lena", "2026-11-21", "strict", "\"result\""] {
            #expect(!before.text.contains(word), "\(word)")
        }
        let answers = try #require(before.object["answers"] as? [[String: Any]])
        #expect(answers.map { $0["answer"] as? String } == ["part1_q1", "part1_q2"])
        let recording = try #require(answers[1]["recording"] as? String)
        let heard = try await school.ask("GET", recording, as: ada, .marker)
        #expect(heard.status == 200 && heard.body.count > 3_000)
        #expect(try await school.ask("GET", recording, as: bo, .marker).status == 404, "only Ada took this exam")

        // The draft is there again.
        let comment: [String: Any] = ["answer": "part1_q2", "at": 0.1, "text": "looks for a word"]
        let draft = ["bands": ["fluency": 7], "comments": [comment]] as [String: Any]
        #expect(try await school.ask("PUT", "/v1/marking/\(task)/draft", draft, as: ada, .marker).status == 204)
        let again = try await school.ask("GET", "/v1/marking/\(task)", as: ada, .marker).object
        #expect((again["draft"] as? [String: Any])?["bands"] as? [String: Double] == ["fluency": 7])

        let sheet = School.sheet(6.5, fluency: 7, comments: [comment])
        #expect(try await school.save(sheet, of: task, as: ada).status == 201)
        // A person's mark beats a machine's, and names the marker.
        try await eventually("the band is Ada's") {
            let scores = try await school.results(session, as: learner)["scores"] as? [String: Any]
            return scores?["overall"] as? Double == 6.5
        }
        let shown = try await school.ask("GET", "/v1/sessions/\(session)/assessment", as: learner).object
        let marks = try #require(shown["marks"] as? [String: Any])
        let fluency = try #require((marks["criteria"] as? [String: [String: Any]])?["fluency"])
        #expect(fluency["basis"] as? String == "marker 1, a person")
        #expect((fluency["outcome"] as? [String: Any])?["mark"] as? Double == 7)
        #expect((fluency["beside"] as? [[String: Any]])?.count == 2, "the marks of machines are listed beside it")
        #expect((shown["comments"] as? [[String: Any]])?.first?["text"] as? String == "looks for a word")
        let results = try await school.results(session, as: learner)
        #expect(results["marking"] as? [String: Int] == ["asked": 1, "done": 1])

        // Only after marking does Ada see the other opinions.
        let after = try await school.ask("GET", "/v1/marking/\(task)", as: ada, .marker)
        #expect(after.text.contains("strict") && after.object["result"] != nil && after.object["draft"] == nil)
        await school.server.stop()
    }

    /// A sheet is final, since the marker sees everything after saving it.
    @Test func aSavedSheetIsFinal() async throws {
        let school = try await School()
        let (session, _) = try await school.sat()
        try await school.askForMarks(of: session, by: 1)
        let task = try #require(try await school.take(as: ada))
        #expect(try await school.save(School.sheet(6), of: task, as: ada).status == 201)
        #expect(
            try await school.save(School.sheet(6), of: task, as: ada).status == 204, "the same sheet can be sent again")
        let other = try await school.save(School.sheet(7), of: task, as: ada)
        #expect(other.status == 409 && other.code == "already-marked")
        for (method, path) in [("PUT", "/v1/marking/\(task)/draft"), ("DELETE", "/v1/marking/\(task)")] {
            let body = method == "PUT" ? School.sheet(5) : nil
            #expect(try await school.ask(method, path, body, as: ada, .marker).code == "already-marked")
        }
        await school.server.stop()
    }

    /// Two blind markers mark, and a third decides if they are a band apart.
    @Test func aThirdMarkerDecidesIfTwoDiffer() async throws {
        let school = try await School()
        let (session, learner) = try await school.sat()
        try await school.askForMarks(of: session, by: 2)
        let (first, second) = (
            try #require(try await school.take(as: ada)), try #require(try await school.take(as: bo))
        )
        #expect(try await school.take(as: cy) == nil, "only two markers were asked for")
        #expect(try await school.save(School.sheet(5), of: first, as: ada).status == 201)
        // One of two markers has marked. No results are shown, in particular not to the other marker, Bo.
        #expect(!(try await school.ask("GET", "/v1/marking/\(second)", as: bo, .marker)).text.contains("marker 1"))
        var results = try await school.results(session, as: learner)
        #expect(results["scores"] == nil && results["assessment"] as? String == "waiting")
        #expect(results["marking"] as? [String: Int] == ["asked": 2, "done": 1])
        // A band apart in one criterion.
        #expect(try await school.save(School.sheet(5, fluency: 6), of: second, as: bo).status == 201)
        results = try await school.results(session, as: learner)
        #expect(results["marking"] as? [String: Int] == ["asked": 3, "done": 2] && results["scores"] == nil)
        for marker in [ada, bo] {
            #expect(try await school.take(as: marker) == nil, "the first two markers cannot be the third")
        }
        let third = try #require(try await school.take(as: cy))
        let desk = try await school.ask("GET", "/v1/marking/\(third)", as: cy, .marker).object
        #expect((desk["task"] as? [String: Any])?["isThird"] as? Bool == true)
        #expect(try await school.save(School.sheet(5, fluency: 6.5), of: third, as: cy).status == 201)
        let scores = try #require(try await school.marked(session, learner)["scores"] as? [String: Any])
        #expect(
            scores["fluency"] as? Double == 6 && scores["grammar"] as? Double == 5,
            "the mark is the median of three, and the mean of two")
        await school.server.stop()
    }

    @Test func twoWhoAgreeNeedNoThird() async throws {
        let school = try await School()
        let (session, learner) = try await school.sat()
        try await school.askForMarks(of: session, by: 2)
        for (marker, band) in [(ada, 6.0), (bo, 6.5)] {
            let task = try #require(try await school.take(as: marker))
            #expect(try await school.save(School.sheet(band), of: task, as: marker).status == 201)
        }
        let results = try await school.marked(session, learner)
        #expect(results["marking"] as? [String: Int] == ["asked": 2, "done": 2])
        // The mean of 6.25 is rounded once, at the end, and down.
        #expect((results["scores"] as? [String: Any])?["overall"] as? Double == 6)
        await school.server.stop()
    }

    @Test func markersGetNeitherTheirOwnNorRepeatedNorForeignExams() async throws {
        let school = try await School()
        let (session, learner) = try await school.sat()
        try await school.askForMarks(of: session, by: 2)
        #expect(try await school.take(as: learner) == nil)
        #expect(try await school.take(as: bo, .init(roles: ["marker"], groups: ["8c"])) == nil)
        let queue = try await school.ask("GET", "/v1/marking", as: ada, .marker).object
        #expect(queue["waiting"] as? Int == 1, "an exam with two free places counts once")
        let own = RunningServer.Rights(roles: ["marker"], groups: [School.group])
        let task = try #require(try await school.take(as: ada, own))
        #expect(try await school.take(as: ada) == nil)
        // A returned task is open to every marker, and its draft is gone.
        _ = try await school.ask("PUT", "/v1/marking/\(task)/draft", School.sheet(9), as: ada, .marker)
        #expect(try await school.ask("DELETE", "/v1/marking/\(task)", as: ada, .marker).status == 204)
        #expect(try await school.ask("GET", "/v1/marking/\(task)", as: ada, .marker).status == 404)
        let next = try #require(try await school.take(as: bo))
        #expect(try await school.ask("GET", "/v1/marking/\(next)", as: bo, .marker).object["draft"] == nil)
        await school.server.stop()
    }

    @Test func aTaskNotMarkedInAWeekGoesToAnotherMarker() async throws {
        let school = try await School()
        let (session, _) = try await school.sat()
        try await school.askForMarks(of: session, by: 1)
        let task = try #require(try await school.take(as: ada))
        #expect(try await school.take(as: bo) == nil)
        try await school.server.services.store.service.write {
            _ = try $0.change("UPDATE marking_places SET due = {seconds} - 1")
        }
        // Until another marker takes the task, the late one may continue.
        let list = try await school.ask("GET", "/v1/marking", as: ada, .marker).object
        #expect((list["taken"] as? [Any])?.count == 1)
        #expect(try await school.take(as: bo) == task)
        #expect(try await school.ask("GET", "/v1/marking/\(task)", as: ada, .marker).status == 404)
        #expect(try await school.save(School.sheet(6), of: task, as: ada).status == 404)
        #expect(try await school.save(School.sheet(6), of: task, as: bo).status == 201)
        await school.server.stop()
    }

    @Test func aLateMarkerMaySaveATaskThatWasNotTaken() async throws {
        let school = try await School()
        let (session, learner) = try await school.sat()
        try await school.askForMarks(of: session, by: 1)
        let task = try #require(try await school.take(as: ada))
        try await school.server.services.store.service.write {
            _ = try $0.change("UPDATE marking_places SET due = {seconds} - 1")
        }
        let draft = try await school.ask("PUT", "/v1/marking/\(task)/draft", School.sheet(5), as: ada, .marker)
        #expect(draft.status == 204)
        // Writing extends the task by another week.
        #expect(try await school.take(as: bo) == nil)
        #expect(try await school.save(School.sheet(6), of: task, as: ada).status == 201)
        _ = try await school.marked(session, learner)
        await school.server.stop()
    }

    /// Results that are shown stay when a second marker is asked later. If two markers are asked together,
    /// results are shown only after both have marked.
    @Test func marksThatWereShownStayWhileAnotherMarks() async throws {
        let school = try await School()
        let (session, learner) = try await school.sat()
        func shown() async throws -> (overall: Double?, marks: Double?, comments: Int?) {
            let scores = try await school.results(session, as: learner)["scores"] as? [String: Any]
            let assessment = try await school.ask("GET", "/v1/sessions/\(session)/assessment", as: learner).object
            let marks = (assessment["marks"] as? [String: Any])?["overall"] as? [String: Any]
            return (scores?["overall"] as? Double, marks?["mark"] as? Double, (assessment["comments"] as? [Any])?.count)
        }
        try await school.askForMarks(of: session, by: 1)
        let first = try #require(try await school.take(as: ada))
        let note: [String: Any] = ["answer": "part1_q1", "at": 0, "text": "Clear."]
        #expect(try await school.save(School.sheet(6, comments: [note]), of: first, as: ada).status == 201)
        _ = try await school.marked(session, learner)
        #expect(try await shown() == (6, 6, 1))
        let report = try await school.ask("GET", "/v1/sessions/\(session)/report", as: learner).text
        #expect(
            report.contains("marker 1") && report.contains("Clear.") && !report.contains(ada.uuidString.lowercased()))
        try await school.askForMarks(of: session, by: 2)
        #expect(try await shown() == (6, 6, 1))
        let second = try #require(try await school.take(as: bo))
        // The marks are so far apart that a third is asked for. The first mark stays, and the second is not shown.
        #expect(try await school.save(School.sheet(8), of: second, as: bo).status == 201)
        #expect(try await shown() == (6, 6, 1))
        let third = try #require(try await school.take(as: cy))
        #expect(try await school.save(School.sheet(7), of: third, as: cy).status == 201)
        try await eventually("the third decides") { try await shown().overall == 7 }
        #expect(try await shown().marks == 7)
        await school.server.stop()
    }

    @Test func aMarkerTakesNoMoreThanTheyMay() async throws {
        let school = try await School { $0.limits.takenExams = 1 }
        for _ in 0..<2 { try await school.askForMarks(of: school.sat().id, by: 1) }
        _ = try #require(try await school.take(as: ada))
        let more = try await school.ask("POST", "/v1/marking", as: ada, .marker)
        #expect(more.status == 409 && more.code == "enough-taken")
        await school.server.stop()
    }

    /// Each invalid mark is refused with its field, and the draft before stays.
    @Test func invalidMarksAreNamed() async throws {
        let school = try await School()
        let (session, _) = try await school.sat()
        try await school.askForMarks(of: session, by: 1)
        let task = try #require(try await school.take(as: ada))
        let wrong: [([String: Any], String)] = [
            (["bands": ["fluency": 6.25], "comments": []], "fluency: 6.25 is not a half band"),
            (["bands": ["fluency": 9.5], "comments": []], "fluency: 9.5 is not a half band"),
            (["bands": ["style": 6], "comments": []], "bands"),
            (["bands": ["fluency": "6"], "comments": []], "bands.fluency"),
            (["bands": [:], "topicRelevance": -1, "comments": []], "topic: -1.0 is not a half band"),
            (["bands": [:], "comments": []], "bands: mark one criterion at least"),
            (["bands": ["fluency": 6]], "comments: is missing"),
            (
                ["bands": ["fluency": 6], "comments": [["answer": "part9_q9", "at": 0, "text": "x"]]],
                "there is no answer part9_q9"
            ),
            (
                ["bands": ["fluency": 6], "comments": [["answer": "part1_q1", "at": 900, "text": "x"]]],
                "there is nothing at 900.0 s"
            ),
            (
                ["bands": ["fluency": 6], "comments": [["answer": "part1_q1", "at": 0, "text": ""]]], "comments[0].text"
            ),
        ]
        for (sheet, words) in wrong {
            let refused = try await school.save(sheet, of: task, as: ada)
            #expect(
                refused.status == 400 && refused.text.contains(words), "\(sheet): \(refused.status) \(refused.text)")
        }
        await school.server.stop()
    }

    /// Only completed sessions can be marked. Asking again adds markers, and removes none.
    @Test func onlyCompletedSessionsCanBeMarked() async throws {
        let school = try await School()
        let (session, learner) = try await school.sat()
        let path = "/v1/sessions/\(session)/marking"
        for (rights, status) in [(RunningServer.Rights.noRole, 403), (.marker, 403), (.teacher(of: "8c"), 404)] {
            #expect(try await school.ask("POST", path, ["markers": 1], as: learner, rights).status == status)
        }
        #expect(
            try await school.ask("POST", path, ["markers": 3], as: school.teacher, .teacher(of: School.group)).status
                == 400)
        try await school.askForMarks(of: session, by: 2)
        try await school.askForMarks(of: session, by: 1)
        #expect(try await school.results(session, as: learner)["marking"] as? [String: Int] == ["asked": 2, "done": 0])
        // A service may ask, too, but not for an exam that is not over.
        let open = UUID().uuidString.lowercased()
        let row = [
            "id": open, "name": "open", "format": "ielts-style", "paper": "bridges",
            "startedAt": "2026-11-21T09:12:29Z",
        ]
        #expect(try await school.ask("PUT", "/v1/sessions/\(open)", row, as: learner).status == 201)
        let early = try await school.ask("POST", "/v1/sessions/\(open)/marking", ["markers": 1], as: UUID(), .service)
        #expect(early.status == 409 && early.code == "not-over")
        await school.server.stop()
    }

    /// With `--markers 2` every exam is marked without a request.
    @Test func aServerMayHaveEveryExamMarked() async throws {
        let school = try await School { $0.markers = 2 }
        let (session, learner) = try await school.sat()
        #expect(try await school.results(session, as: learner)["marking"] as? [String: Int] == ["asked": 2, "done": 0])
        #expect(try await school.take(as: ada) != nil)
        await school.server.stop()
    }

    /// The client sent nothing wrong. It gets a server error, never a conflict about its id, and sends again.
    @Test(.store(only: .postgres, because: "SQLite has no row-level security."))
    func aPolicyThatRefusesTheServerIsItsOwnFault() async throws {
        let school = try await School { $0.markers = 1 }
        let address = try await TestDatabase.of(folder: school.server.folder).address
        func setPolicy(_ check: String) async throws {
            try await PostgresServer.shared.value.execute(
                "ALTER POLICY asker ON marking_places WITH CHECK (\(check))", in: PostgresServer.name(in: address))
        }
        let (learner, session) = (UUID(), UUID())
        let row = TestSession(
            id: session, name: "n", format: "ielts-style", paper: "bridges", startedAt: "2026-11-21T09:12:29Z")
        #expect(try await school.server.services.owned(by: learner).put(row) == .created)
        let completion = UUID().uuidString.lowercased()
        func complete() async throws -> HTTPClient.HTTPResponse {
            try await school.ask(
                "PUT", "/v1/sessions/\(session.uuidString.lowercased())/completion",
                [
                    "id": completion, "session": session.uuidString.lowercased(), "completedAt": "2026-11-21T09:26:01Z",
                    "outcome": "completed", "answers": 1, "delivered": 1,
                ], as: learner)
        }
        try await setPolicy("false")
        let refused = try await complete()
        #expect(refused.status == 500 && refused.code == "fault", "\(refused.text)")
        try await setPolicy("true")
        let mended = try await complete()
        #expect((200..<300).contains(mended.status), "\(mended.text)")
        await school.server.stop()
    }

    /// Erasing an exam erases its marking task and its sheet.
    @Test func anErasedExamIsNotMarked() async throws {
        let school = try await School()
        let (session, learner) = try await school.sat()
        try await school.askForMarks(of: session, by: 1)
        let task = try #require(try await school.take(as: ada))
        #expect(try await school.ask("DELETE", "/v1/sessions/\(session)", as: learner).status == 204)
        #expect(try await school.save(School.sheet(6), of: task, as: ada).status == 404)
        let left: Int = try await school.server.services.store.service.read {
            try $0.first("SELECT count(*) AS count FROM marking_places")!.value("count")
        }
        #expect(left == 0)
        await school.server.stop()
    }

    /// The figures appear from twenty exams on, and equal figures that were computed by hand.
    @Test func agreementIsReportedFromTwentyExamsOn() async throws {
        let school = try await School()
        let service = school.server.services.store.service
        let (session, learner) = try await school.sat(answers: 1)
        let owned = school.server.services.owned(by: learner)
        let kept = try #require(UUID(uuidString: session))
        // The rows that marking leaves: twenty exams, with Ada half a band above Bo in ten of them.
        for number in 0..<20 {
            let id = number == 0 ? kept : UUID()
            if number > 0 {
                let row = TestSession(
                    id: id, name: "n", format: "ielts-style", paper: "bridges", startedAt: "2026-11-21T09:12:29Z")
                _ = try await owned.put(row, in: [School.group])
            }
            for (place, marker) in [ada, bo].enumerated() {
                let band = 5 + Double(number % 4) / 2 + (place == 0 && number % 2 == 0 ? 0.5 : 0)
                let sheet = MarksGiven(bands: [.fluency: band])
                try await service.write {
                    _ = try $0.change(
                        """
                        INSERT INTO marking_places (id, test_session_id, place, asked, marker, taken_at, due, sheet, rubric, marked_at)
                        VALUES (?, ?, ?, 0, ?, {now}, 0, ?, 'ielts-style/1', {now})
                        """, [UUID(), id, place + 1, marker, try JSONText(sheet)])
                }
            }
        }
        func figures(_ asker: UUID, _ rights: RunningServer.Rights) async throws -> [[String: Any]] {
            let answer = try await school.ask("GET", "/v1/agreement", as: asker, rights)
            #expect(answer.status == 200, "\(answer.text)")
            return answer.object["markers"] as? [[String: Any]] ?? []
        }
        let own = try await figures(ada, .marker)
        #expect(own.count == 1 && own[0]["isYou"] as? Bool == true)
        let fluency = try #require(
            (own[0]["criteria"] as? [[String: Any]])?.first { $0["name"] as? String == "fluency" })
        #expect(fluency["exams"] as? Int == 20)
        #expect(fluency["meanDifference"] as? Double == 0.25 && fluency["meanLead"] as? Double == 0.25)
        // Bo: 5, 5.5, 6, 6.5; Ada: 5.5, 5.5, 6.5, 6.5. Mean square observed: 0.125; by chance, of all pairs: 0.625.
        #expect(abs((fluency["kappa"] as? Double ?? 0) - 0.8) < 1e-9)
        #expect(try await figures(school.teacher, .teacher(of: School.group)).count == 2)
        #expect(try await figures(school.teacher, .teacher(of: "8c")).isEmpty)
        // With one exam fewer there are no figures.
        try await service.write { _ = try $0.change("DELETE FROM marking_places WHERE test_session_id = ?", [kept]) }
        let fewer = try await figures(UUID(), .service)
        let criteria = fewer.flatMap { $0["criteria"] as? [[String: Any]] ?? [] }
        #expect(fewer.count == 2 && criteria.allSatisfy { $0["kappa"] == nil && $0["meanDifference"] == nil })
        #expect(try await school.ask("GET", "/v1/agreement", as: learner).status == 403)
        await school.server.stop()
    }
}
