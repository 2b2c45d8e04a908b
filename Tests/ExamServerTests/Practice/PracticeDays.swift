import Foundation
import HTTPClient
import Learning
import StoreTrials
import Study
import Testing

@testable import ExamNode
@testable import ExamServer

/// A learner's days on the server: by the learner's clock, exported, erased.
@Suite(.bothStores) struct PracticeDays {
    /// Starts a server whose clock moves only when the test moves it.
    private func server(_ clock: SetClock = SetClock()) async throws -> RunningServer {
        try await RunningServer(clock: clock) { $0.limits.requestsPerMinute = 1_000_000 }
    }

    private func practise(_ learner: Learner, answers: Int = 2) async throws {
        var drill = try await learner.begin(["packs": ["spoken-english"], "count": answers, "extra": true])
        while drill["phase"] as? String == "asking" {
            let answered = try await learner.answer(
                drill, Learner.wire(Learner.question(drill).solution), seconds: 30)
            drill = try #require(answered.object["drill"] as? [String: Any])
        }
    }

    private func day(_ learner: Learner) async throws -> (day: [String: Any], streak: [String: Any]) {
        let day = try await learner.told("GET", "practice")
        return (day, try #require(day["streak"] as? [String: Any]))
    }

    /// Nine hours east of UTC it is another day than eight hours west. At three in the morning, a learner's day is not
    /// over.
    @Test(arguments: [32_400, -28_800]) func aWeekIsByTheLearnersClock(_ offset: Int) async throws {
        let clock = SetClock()
        let server = try await server(clock)
        let learner = Learner(server: server, offset: offset)
        // Ten in the evening by the learner's clock.
        let local = (Int(clock.now().timeIntervalSince1970) + offset) % 86_400
        clock.pass(seconds: Double((22 * 3600 - local + 86_400) % 86_400))
        let first = StudyMoment(seconds: Int(clock.now().timeIntervalSince1970), offset: offset).day
        for number in 0..<7 {
            // On the third day the learner doesn't practise. On the fifth it is three in the morning.
            if number == 4 { clock.pass(seconds: 5 * 3_600) }
            if number != 2 { try await practise(learner) }
            let (day, streak) = try await day(learner)
            #expect(day["day"] as? String == first.advanced(by: number).text)
            #expect(streak["days"] as? Int == (number < 2 ? number + 1 : number), "day \(number): \(streak)")
            #expect(streak["hasToday"] as? Bool == (number != 2))
            #expect(streak["isAtRisk"] as? Bool == false, "one missed day does not end a streak")
            #expect(day["minutesToday"] as? Double == (number == 2 ? 0 : 1))
            if number == 4 { clock.pass(seconds: -5 * 3_600) }
            clock.pass(seconds: 86_400)
        }
        let (day, streak) = try await day(learner)
        #expect(streak["days"] as? Int == 6 && streak["hasToday"] as? Bool == false && streak["longest"] as? Int == 6)
        let days = (day["statistics"] as? [String: Any])?["days"] as? [[String: Any]] ?? []
        #expect(days.count == 14 && days.suffix(8).map { $0["answers"] as? Int } == [2, 2, 0, 2, 2, 2, 2, 0])
        await server.stop()
    }

    @Test func daysAreSetAsTheirLearnerWants() async throws {
        let server = try await server()
        let learner = Learner(server: server)
        let (before, _) = try await day(learner)
        #expect(before["minutesADay"] as? Int == 10 && (before["restDays"] as? [Int]) == [])
        #expect(before["new"] as? Int ?? 0 > 0 && before["due"] as? Int == 0)
        let changed = try await learner.told(
            "PATCH", "practice", ["minutesADay": 15, "restDays": [7, 6, 7], "pauseUntil": "2099-01-01"])
        #expect(changed["minutesADay"] as? Int == 15 && (changed["restDays"] as? [Int]) == [6, 7])
        #expect(changed["isRestDay"] as? Bool == true && changed["pauseUntil"] as? String == "2099-01-01")
        let ended = try await learner.told("PATCH", "practice", ["restDays": [Int](), "endPause": true])
        #expect(ended["isRestDay"] as? Bool == false && ended["pauseUntil"] == nil)
        let both = try await learner.ask("PATCH", "practice", ["endPause": true, "pauseUntil": "2099-01-01"])
        #expect(both.status == 422, "\(both.text)")
        for (body, status) in [
            (["minutesADay": 0], 400), (["restDays": [8]], 400), (["pauseUntil": "1999-01-01"], 400),
            (["pauseUntil": "2020-01-01"], 422), (["pauseUntil": "2099-02-31"], 422),
        ] as [([String: Any], Int)] {
            #expect(try await learner.ask("PATCH", "practice", body).status == status, "\(body)")
        }
        await server.stop()
    }

    @Test func allOfItIsExportedAndErased() async throws {
        try await withTwoPracticeNodes { nodes in
            var learner = Learner(server: nodes[0])
            let other = Learner(server: nodes[0])
            for one in [learner, other] {
                try await practise(one)
                _ = try await one.told("POST", "practice-tests", ["count": 3])
                _ = try await one.told("POST", "tasks", ["title": "Read", "dueDate": "2026-11-25T12:00:00+01:00"])
            }
            // The other node knows it, too.
            learner.server = nodes[1]
            #expect(try await day(learner).streak["days"] as? Int == 1)
            let all = try await learner.told("GET", "practice/export")
            let lines = try #require(all["lines"] as? [String])
            #expect(lines.count { $0.contains(" answered ") } == 2 && lines.allSatisfy { PracticeLine($0) != nil })
            #expect((all["tests"] as? [Any])?.count == 1 && (all["tasks"] as? [Any])?.count == 1)

            learner.server = nodes[0]
            #expect(try await learner.ask("DELETE", "practice").status == 204)
            for node in nodes {
                learner.server = node
                let nothing = try await learner.told("GET", "practice/export")
                for part in ["lines", "tests", "tasks"] { #expect((nothing[part] as? [Any])?.isEmpty == true) }
                #expect(try await day(learner).streak["days"] as? Int == 0)
            }
            // The learner begins again, on the node that had not erased the data.
            try await practise(learner)
            learner.server = nodes[0]
            let figures = try await day(learner).day["statistics"] as? [String: Any]
            #expect(figures?["answers"] as? Int == 2 && figures?["drills"] as? Int == 1)
            #expect((try await other.told("GET", "practice/export")["tests"] as? [Any])?.count == 1)
        }
    }

    @Test func tasksAreWhatWasDoneAndWhatAClientKeeps() async throws {
        let server = try await server()
        let learner = Learner(server: server)
        try await practise(learner)
        func tasks(_ query: String = "") async throws -> [[String: Any]] {
            try #require(try await learner.told("GET", "tasks\(query)")["tasks"] as? [[String: Any]])
        }
        let all = try await tasks()
        #expect(all.count == 3 && all.allSatisfy { $0["isComplete"] as? Bool == true }, "\(all)")
        let id = try #require(all.compactMap { $0["id"] as? String }.first { $0.contains("/") })
        #expect(try await learner.ask("PATCH", "tasks", ["id": id, "isComplete": false]).status == 204)
        #expect(try await tasks("?incomplete=true").map { $0["id"] as? String } == [id])
        // The next drill asks it.
        #expect(try await day(learner).day["due"] as? Int == 1)
        #expect(try await learner.ask("DELETE", "tasks?id=drill-1").status == 204)
        #expect(try await tasks().count == 2)
        #expect(try await learner.ask("DELETE", "tasks?id=drill-1").status == 404)
        #expect(try await learner.ask("DELETE", "tasks").status == 400)

        let due = "2026-11-25T12:00:00+01:00"
        let made = try await learner.told("POST", "tasks", ["title": "Read", "dueDate": due, "isComplete": true])
        let own = try #require(made["id"] as? String)
        #expect(own.hasPrefix("own-") && made["dueDate"] as? String == due)
        #expect(try await tasks("?limit=3").last?["id"] as? String == own)
        #expect(try await Learner(server: server).ask("DELETE", "tasks?id=\(own)").status == 404)
        #expect(try await learner.ask("PATCH", "tasks", ["id": own, "isComplete": false]).status == 204)
        #expect(try await tasks("?incomplete=true").count == 2)
        #expect(try await learner.ask("DELETE", "tasks?id=\(own)").status == 204)
        #expect(
            try await learner.ask("POST", "tasks", ["title": "Read", "dueDate": "2026-02-31T12:00:00Z"]).status == 422)
        await server.stop()
    }

    @Test func questionsOfTheBankSayWhetherTheyWereAnswered() async throws {
        let server = try await server()
        let learner = Learner(server: server)
        let drill = try await learner.begin(
            ["packs": ["spoken-english"], "topics": ["food"], "count": 1, "extra": true])
        let question = try Learner.question(drill)
        #expect(try await learner.answer(drill, Learner.wire(question.solution)).status == 200)
        let bank = try await learner.ask("GET", "questions?topic=food&limit=200")
        let told = try #require(try JSONSerialization.jsonObject(with: Data(bank.body)) as? [[String: Any]])
        let answered = told.filter { $0["isAnswered"] as? Bool == true }
        #expect(answered.count == 1 && answered.first?["id"] as? String == question.id, "\(answered)")
        #expect(answered.first?["isCorrect"] as? Bool == true && told.count > 1)
        #expect(told.allSatisfy { $0["isCorrect"] as? Bool == $0["isAnswered"] as? Bool })
        await server.stop()
    }

    @Test func packsLessonsAndQuestionsAreThere() async throws {
        let server = try await server()
        let learner = Learner(server: server)
        let packs = try #require(try await learner.told("GET", "practice/packs")["packs"] as? [[String: Any]])
        #expect(packs.count == PracticeContent.builtIn.catalogue.packs.count && packs[0]["lesson"] as? Bool == false)
        let categories = try #require(try await learner.told("GET", "lessons")["categories"] as? [[String: Any]])
        let lessons = categories.flatMap { $0["lessons"] as? [[String: Any]] ?? [] }
        #expect(Set(lessons.compactMap { $0["id"] as? String }) == Set(PracticeContent.builtIn.lessons.keys))
        for lesson in lessons {
            let id = try #require(lesson["id"] as? String)
            let whole = try await learner.told("GET", "lessons/\(id)")
            let items = try #require(whole["items"] as? [[String: Any]])
            #expect(items.count == lesson["items"] as? Int && items.allSatisfy { $0["mastery"] as? Int == 0 })
            for _ in 0..<2 {
                #expect(try await learner.ask("POST", "lessons/\(id)/read", [String: Any]()).status == 204)
                #expect(try await learner.ask("POST", "lessons/\(id)/open", [String: Any]()).status == 204)
            }
        }
        let after = try #require(try await learner.told("GET", "lessons")["categories"] as? [[String: Any]])
        let read = after.flatMap { $0["lessons"] as? [[String: Any]] ?? [] }
        #expect(read.allSatisfy { $0["isRead"] as? Bool == true && $0["isOpen"] as? Bool == true })
        let lines = try await learner.told("GET", "practice/export")["lines"] as? [String] ?? []
        #expect(
            lines.count == 2 * lessons.count + 2, "two lines for each lesson, after one for weights and one for data")
        #expect(try await learner.ask("GET", "lessons/none").status == 404)

        let bank = try await learner.ask("GET", "questions?topic=Food&difficulty=Easy&limit=2")
        let questions = try #require(try JSONSerialization.jsonObject(with: Data(bank.body)) as? [[String: Any]])
        #expect(questions.count == 2)
        for question in questions {
            let known = try #require(PracticeContent.builtIn.bank.first { $0.id == question["id"] as? String })
            let index = try #require(question["answerIndex"] as? Int)
            #expect(known.verdict(on: .multipleChoice(selectedOption: index)) == .right && known.topic == "food")
        }
        await server.stop()
    }

    @Test func spokenQuestionsHaveSound() async throws {
        let server = try await server()
        let learner = Learner(server: server)
        let heard = PracticeContent.builtIn.catalogue.packs.lazy.flatMap { pack in
            pack.items.flatMap(\.questions).filter { $0.speech != nil }.map { (pack.id, $0.id) }
        }.first
        if let (pack, question) = heard {
            let said = try await server.ask(
                "GET", "/v1/practice/speech/\(pack)/\(question)", as: learner.user, headers: [("Accept", "audio/ogg")])
            #expect(said.status == 200 && said.body.starts(with: Array("OggS".utf8)), "\(said.status)")
        }
        #expect(try await learner.ask("GET", "practice/speech/spoken-english/none").status == 404)
        let lesson = try #require(PracticeContent.builtIn.lessons.keys.sorted().first)
        let item = try #require(PracticeContent.builtIn.lessons[lesson]?.1.items.first)
        let spoken = try await server.ask(
            "GET", "/v1/lessons/\(lesson)/items/\(item.id)/speech", as: learner.user, headers: [("Accept", "audio/ogg")]
        )
        #expect(spoken.status == 200 && spoken.body.starts(with: Array("OggS".utf8)), "\(spoken.status)")
        #expect(try await learner.ask("GET", "lessons/\(lesson)/items/none/speech").status == 404)
        await server.stop()
    }
}
