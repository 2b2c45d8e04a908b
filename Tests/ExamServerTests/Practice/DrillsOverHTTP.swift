import BackendAPI
import ExamStore
import Foundation
import HTTPClient
import Learning
import StoreTrials
import Study
import TestSupport
import Testing

@testable import ExamNode
@testable import ExamServer

/// Drills over HTTP have the core's verdicts, and one drill works on several nodes.
@Suite(.bothStores) struct DrillsOverHTTP {
    private static func fast(_ settings: inout ServerSettings) { settings.limits.requestsPerMinute = 1_000_000 }

    /// Questions of every built-in pack and lesson, answered right and wrong, in the order of the drill.
    @Test func answersAreRightAndWrongAsInTheCore() async throws {
        let server = try await RunningServer(Self.fast)
        let learner = Learner(server: server)
        let all = PracticeContent.builtIn.catalogue.packs.flatMap(\.items).flatMap(\.questions)
        var tried: Set<String> = []
        for pack in PracticeContent.builtIn.catalogue.packs {
            if PracticeContent.builtIn.lessons[pack.id] != nil {
                _ = try await learner.told("POST", "lessons/\(pack.id)/open")
            }
            // The first question of each item, and other ones once the learner knows the item.
            var drill = try await learner.begin(["packs": [pack.id], "count": 200])
            while drill["phase"] as? String == "asking" {
                let question = try Learner.question(drill)
                let isFirst = tried.insert("\(pack.id)/\(question.id)").inserted
                let answer = isFirst && tried.count.isMultiple(of: 4) ? Learner.wrong(question) : question.solution
                let answered = try await learner.answer(drill, Learner.wire(answer))
                try #require(answered.status == 200, "\(question.id): \(answered.text)")
                #expect(answered.object["verdict"] as? String == question.verdict(on: answer).rawValue)
                #expect(answered.object["explanation"] as? String == question.explanation)
                let right = try #require(answered.object["rightAnswer"] as? [String: Any])
                #expect(
                    NSDictionary(dictionary: right) == NSDictionary(dictionary: try Learner.wire(question.solution)))
                drill = try #require(answered.object["drill"] as? [String: Any])
            }
            #expect(drill["phase"] as? String == "finished" && drill["question"] == nil)
        }
        // A drill has 200 questions at most.
        #expect(tried.count >= PracticeContent.builtIn.catalogue.packs.map { min($0.items.count, 200) }.reduce(0, +))
        // Every answer that the core accepts can be sent, and is read back unchanged.
        for question in all {
            for answer in [question.solution, Learner.wrong(question)] {
                let sent = try #require(AnyAnswer(answer))
                let back = try JSONDecoder().decode(AnyAnswer.self, from: JSONEncoder().encode(sent))
                #expect(back.practiceAnswer == answer && question.taken(back) == answer)
            }
            #expect(question.verdict(on: question.solution) == .right)
        }
        await server.stop()
    }

    /// A drill is left and resumed on another node. Each answer is one line of one log.
    @Test func twoNodesShareADrill() async throws {
        try await withTwoPracticeNodes { nodes in
            var learner = Learner(server: nodes[0])
            var drill = try await learner.begin(["packs": ["spoken-english"], "count": 6])
            var asked = 0
            while drill["phase"] as? String == "asking" {
                learner.server = nodes[asked % 2]
                #expect(try await learner.told("GET", "practice/drill")["done"] as? Int == drill["done"] as? Int)
                let resumed = try await learner.begin(["resume": true])
                #expect(NSDictionary(dictionary: resumed) == NSDictionary(dictionary: drill))
                let question = try Learner.question(drill)
                let answer = asked == 1 ? Learner.wrong(question) : question.solution
                let answered = try await learner.answer(drill, Learner.wire(answer))
                try #require(answered.status == 200, "\(answered.text)")
                // Pretend that the reply was lost. The same answer gets the same reply on each node.
                for node in nodes {
                    learner.server = node
                    let again = try await learner.answer(drill, Learner.wire(answer))
                    #expect(
                        NSDictionary(dictionary: again.object) == NSDictionary(dictionary: answered.object),
                        "\(again.text)"
                    )
                }
                let other = try await learner.answer(
                    drill, Learner.wire(asked == 1 ? question.solution : Learner.wrong(question)))
                #expect(other.status == 409 && other.code == "not-asked", "\(other.text)")
                drill = try #require(answered.object["drill"] as? [String: Any])
                asked += 1
            }
            #expect(asked == 7 && drill["right"] as? Int == 5 && drill["repeated"] as? Int == 1, "\(drill)")
            for node in nodes {
                learner.server = node
                let figures = try await learner.told("GET", "practice")["statistics"] as? [String: Any]
                #expect(figures?["answers"] as? Int == 7 && figures?["drills"] as? Int == 1)
                #expect(try await learner.ask("GET", "practice/drill").status == 404)
                #expect(try await learner.ask("POST", "practice/drills", ["resume": true]).status == 404)
            }
            let lines = try await learner.told("GET", "practice/export")["lines"] as? [String] ?? []
            #expect(lines.count { $0.contains(" answered ") } == 7 && lines.count { $0.contains(" finished ") } == 1)
        }
    }

    /// Two windows on two nodes write at the same time. Nothing is lost, and nothing counts twice.
    @Test func manyWritersOfOneLogLoseNothing() async throws {
        try await withTwoPracticeNodes { nodes in
            let user = UUID()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for place in 0..<24 {
                    group.addTask {
                        let learner = Learner(server: nodes[place % 2], user: user)
                        _ = try await learner.told("PATCH", "practice", ["minutesADay": place + 1])
                    }
                }
                try await group.waitForAll()
            }
            let learner = Learner(server: nodes[0], user: user)
            let lines = try await learner.told("GET", "practice/export")["lines"] as? [String] ?? []
            let kept = lines.compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
            #expect(Set(kept).isSuperset(of: 1...24) && lines.count { $0.contains(" minutes ") } == 24, "\(lines)")
            #expect(lines.count { $0.contains(" weights ") } == 1 && lines.count { $0.contains(" data ") } == 1)
        }
    }

    @Test func anotherUserSeesNothingOfIt() async throws {
        let server = try await RunningServer()
        let (ann, ben) = (Learner(server: server), Learner(server: server))
        let drill = try await ann.begin(["count": 3])
        #expect(try await ben.ask("GET", "practice/drill").status == 404)
        #expect(try await ben.answer(drill, Learner.wire(Learner.question(drill).solution)).status == 409)
        #expect(try await ann.answer(drill, Learner.wire(Learner.question(drill).solution)).status == 200)
        let day = try await ben.told("GET", "practice")
        #expect((day["statistics"] as? [String: Any])?["answers"] as? Int == 0 && day["drill"] == nil)
        #expect((try await ben.told("GET", "practice/export")["lines"] as? [String])?.isEmpty == true)
        #expect((try await ben.told("GET", "tasks")["tasks"] as? [Any])?.isEmpty == true)
        #expect((try await ann.told("GET", "tasks")["tasks"] as? [Any])?.count == 1)
        await server.stop()
    }

    @Test func invalidWishesAreNamed() async throws {
        let server = try await RunningServer()
        let learner = Learner(server: server)
        for (wish, status, words) in [
            (["packs": ["none"]], 400, "packs[0]"), (["topics": ["nothing"]], 400, "topics[0]"),
            (["count": 0], 400, "count"), (["onlyDue": true, "extra": true], 422, "exclude"),
            (["onlyDue": true], 409, "nothing-to-practise"), (["resume": true], 404, "drill"),
        ] as [([String: Any], Int, String)] {
            let answer = try await learner.ask("POST", "practice/drills", wish)
            #expect(answer.status == status && answer.text.contains(words), "\(wish): \(answer.text)")
        }
        let drill = try await learner.begin(["packs": ["spoken-english"], "count": 2])
        let blank = try await learner.answer(drill, ["type": "fillInTheBlank", "textAnswer": "food"])
        #expect(blank.status == 422 && blank.text.contains("answer: this question"), "\(blank.text)")
        let beyond = try await learner.answer(drill, ["type": "multipleChoice", "selectedOption": 9])
        #expect(beyond.status == 422)
        let other = try await learner.ask("POST", "practice/drill/next", ["number": 99])
        #expect(other.status == 409 && other.code == "not-asked")
        #expect(
            NSDictionary(dictionary: try await learner.told("POST", "practice/drill/next", ["number": 1]))
                == NSDictionary(dictionary: drill), "the drill stays the same until a question is shown")
        let late = try await server.ask("GET", "/v1/practice", as: learner.user, headers: [("Oracy-Offset", "50401")])
        #expect(late.status == 400 && late.text.contains("Oracy-Offset"))
        await server.stop()
    }

    /// An item that was forgotten many times is shown before it is asked. Another node doesn't know that it was shown.
    @Test func aForgottenItemIsShownBeforeItIsAsked()
        async throws
    {
        try await withTwoPracticeNodes { nodes in
            var learner = Learner(server: nodes[0])
            let items = try #require(PracticeContent.builtIn.catalogue.pack("spoken-english")).items
            let leech = try #require(items.first { $0.questions.count == 1 })
            let begun = Int(nodes[0].services.clock().timeIntervalSince1970) - 400 * 86_400
            var lines: [String] = []
            func answered(_ item: PracticeCatalogue.Item, _ verdict: Verdict, after days: Int) {
                lines.append(
                    PracticeLine(
                        StudyMoment(seconds: begun + days * 86_400, offset: 0),
                        .answered(
                            .init(
                                drill: 0, exercise: .init(memory: item.id, question: item.questions[0].id, role: .due),
                                verdict: verdict, seconds: 5))
                    ).text)
            }
            // Known for weeks and then forgotten, eight times.
            for turn in 0..<8 {
                for day in 0..<3 { answered(leech, .right, after: turn * 30 + day * 8) }
                answered(leech, .wrong, after: turn * 30 + 28)
            }
            let owned = nodes[0].services.owned(by: learner.user)
            #expect(try await owned.append(practiceLines: lines, after: 0, knowing: nil))
            let drill = try await learner.begin(["packs": ["spoken-english"], "count": 3])
            #expect(drill["phase"] as? String == "showing", "\(drill)")
            #expect((drill["shown"] as? [String: Any])?["rightAnswer"] != nil)
            let number = try #require(drill["number"] as? Int)
            let asked = try await learner.told("POST", "practice/drill/next", ["number": number])
            #expect(asked["phase"] as? String == "asking" && asked["shown"] == nil)
            // Another node gets this answer.
            learner.server = nodes[1]
            #expect(try await learner.told("GET", "practice/drill")["phase"] as? String == "showing")
            let answered = try await learner.answer(asked, Learner.wire(Learner.question(asked).solution))
            #expect(answered.status == 200 && answered.object["verdict"] as? String == "right", "\(answered.text)")
        }
    }

    /// With a log of a hundred thousand lines, an answer takes no longer than with an empty one.
    @Test(.endsIfItHangs) func aLongLogMakesNoAnswerSlow() async throws {
        let server = try await RunningServer(Self.fast)
        let learner = Learner(server: server)
        let items = try #require(PracticeContent.builtIn.catalogue.pack("spoken-english")).items
        let begun = Int(server.services.clock().timeIntervalSince1970) - 800 * 86_400
        let lines = (0..<100_000).map { place in
            let item = items[place % items.count]
            return PracticeLine(
                StudyMoment(seconds: begun + place * 600, offset: 0),
                .answered(
                    .init(
                        drill: 0, exercise: .init(memory: item.id, question: item.questions[0].id, role: .due),
                        verdict: place % 5 == 0 ? .wrong : .right, seconds: 5))
            ).text
        }
        let owned = server.services.owned(by: learner.user)
        for begin in stride(from: 0, to: lines.count, by: 10_000) {
            #expect(
                try await owned.append(
                    practiceLines: Array(lines[begin..<begin + 10_000]), after: begin,
                    knowing: begin == 0 ? nil : lines[begin - 1]))
        }
        let clock = ContinuousClock()
        let first = try await clock.measure { _ = try await learner.told("GET", "practice") }
        var drill = try await learner.begin(["packs": ["spoken-english"], "count": 12, "extra": true])
        var spans: [Duration] = []
        for _ in 0..<10 {
            let answer = try Learner.wire(Learner.question(drill).solution)
            var answered: HTTPClient.HTTPResponse?
            spans.append(try await clock.measure { answered = try await learner.answer(drill, answer) })
            drill = try #require(answered?.object["drill"] as? [String: Any])
        }
        let median = spans.sorted()[5]
        print("practice: 100,000 lines read in \(first), an answer in \(median)")
        // An answer that read the whole log again would take as long as the first request, however fast the machine is.
        #expect(median < first / 2)
        await server.stop()
    }
}
