import Assessment
import ExamCore
import Foundation
import HTTPClient
import SessionFolders
import StoreTrials
import Study
import SystemSupport
import TestSupport
import Testing
import UploadQueue

@testable import ExamNode
@testable import ExamServer
@testable import ExamStore
@testable import ServerWork

/// Spoken drills and single parts on a server: the choice, the exam that is made, and its result.
@Suite(.bothStores) struct SpokenDrillsOverHTTP {
    private let learner: Learner
    private var server: RunningServer { learner.server }

    private let clock = SetClock()

    init() async throws { learner = Learner(server: try await RunningServer(clock: clock)) }

    private func make(_ wishes: [String: Any]) async throws -> HTTPClient.HTTPResponse {
        try await learner.ask("POST", "exams", ["consent": true].merging(wishes) { $1 })
    }

    private func frozen(_ made: [String: Any]) async throws -> FrozenExam {
        let session = try #require((made["session"] as? String).flatMap(UUID.init))
        return try #require(try await server.services.frozenExam(of: session))
    }

    @Test func theChoicesNameEachDrillAndPart() async throws {
        let choices = try await learner.told("GET", "exams/choices")
        let drills = try #require(choices["drills"] as? [[String: Any]])
        #expect(drills.map { $0["name"] as? String } == SpokenDrill.chosen.map(\.rawValue))
        #expect(drills.allSatisfy { $0["summary"] as? String != "" && $0["seconds"] as? Double ?? 0 > 0 })
        let formats = try #require(choices["formats"] as? [[String: Any]])
        let parts = formats.first { $0["id"] as? String == "ielts-style" }?["parts"] as? [[String: Any]]
        #expect(parts?.map { $0["number"] as? Int } == [1, 2, 3])
        await server.stop()
    }

    @Test func eachDrillIsAnExamOfItsOwn() async throws {
        for drill in SpokenDrill.chosen {
            let answer = try await make(["drill": drill.rawValue])
            try #require(answer.status == 201, "\(drill): \(answer.text)")
            let held = try await frozen(answer.object)
            #expect(SpokenDrill(paper: held.paper.id) == drill && held.options.mode == .practice)
            #expect(held.format.id == (try drill.format(target: drill.usualTarget)).id)
            #expect(held.paper.sections.values.joined().flatMap(\.questions).count >= drill.usualCount)
        }
        // Both have the same paper's id, and different questions.
        let (one, other) = (
            try await make(["drill": "4-3-2", "seed": 1]).object, try await make(["drill": "4-3-2", "seed": 2]).object
        )
        #expect(try await frozen(one).paper.sections != frozen(other).paper.sections)
        await server.stop()
    }

    @Test func aPartIsHeldAlone() async throws {
        let answer = try await make(["part": 2, "paper": "bridges", "mode": "practice"])
        #expect(answer.status == 201)
        let parts = answer.object["parts"] as? [[String: Any]]
        #expect(parts?.count == 1 && parts?.first?["number"] as? Int == 2)
        #expect(try await frozen(answer.object).options == ExamOptions(mode: .practice, part: 2))
        await server.stop()
    }

    @Test(arguments: [
        ("drill: must be shadowing, repeat, 4-3-2, one-more-sentence or pause-less.", #"{"drill":"again"}"#),
        (
            "drill: has its own questions; leave out format, paper, part, minutes and questions.",
            #"{"drill":"repeat","part":1}"#
        ),
        (
            "drill: repeat says sentences of lessons; leave out topics, difficulty and seed.",
            #"{"drill":"repeat","topics":["food"]}"#
        ),
        ("mode: must be \"practice\" or left out for a drill.", #"{"drill":"repeat","mode":"test"}"#),
        ("mode: must be \"test\" or \"practice\".", #"{"drill":"repeat","mode":"sing"}"#),
        ("part: must be 1, 2 or 3.", #"{"part":4}"#),
    ]) func aWrongWishIsRefusedWithThePossibleNames(_ detail: String, _ wish: String) async throws {
        let wishes = try JSONSerialization.jsonObject(with: Data(wish.utf8)) as? [String: Any]
        let answer = try await make(wishes ?? [:])
        #expect(answer.status == 400 && answer.object["detail"] as? String == detail, "\(answer.text)")
        await server.stop()
    }

    // MARK: - Results

    /// Sends a drill with two answers, and waits until it is measured.
    ///
    /// - Parameter sentences: The sentences of the drill's questions, if the drill was held on this server.
    private func held(_ drill: SpokenDrill, sentences: [String] = []) async throws -> UUID {
        let speech = "AudioFixtures/answers/building-1.flac"
        let held = try SessionTests.Held(
            answers: 2, speech: speech, clipped: false, paper: drill.paper(of: [Paper.Question(id: "x", text: "")]).id,
            in: server.folder)
        if !sentences.isEmpty {
            let exam = try DrillExam(
                drill, sentences.enumerated().map { Paper.Question(id: "part1-home-\($0 + 1)", text: $1) })
            let frozen = FrozenExam(format: exam.format, paper: exam.paper, options: exam.options)
            try await keep("exam.json", frozen.bytes, of: held)
        }
        try await measure(held)
        return held.facts.id
    }

    /// Keeps a file of a session before it arrives, since no file of a sealed session changes.
    private func keep(_ name: String, _ bytes: [UInt8], of held: SessionTests.Held) async throws {
        let (facts, store) = (held.facts, server.services.store)
        _ = try await store.owned(by: learner.user).put(
            TestSession(
                id: facts.id, name: facts.name, format: facts.format, paper: facts.paper, startedAt: facts.startedAt))
        try await store.service.put(name, bytes, session: facts.id)
    }

    /// Sends a session, and waits until its answers are measured.
    private func measure(_ held: SessionTests.Held) async throws {
        try await UploadQueueOf(server).send(held, RunningServer.token(of: learner.user))
        try await eventually("the session is measured") {
            let session = try await learner.told("GET", "sessions/\(held.facts.id.name)")
            return (session["evaluation"] as? [String: Any])?["status"] as? String == "completed"
        }
    }

    @Test func aDrillIsComparedAndIsNoExam() async throws {
        let session = try await held(.pauseLess)
        let assessment = try await learner.told("GET", "sessions/\(session.name)/assessment")
        let drill = try #require(assessment["drill"] as? [String: Any])
        #expect(drill["name"] as? String == "pause-less" && drill["title"] as? String == "Pause less")
        let verdict = try #require(drill["verdict"] as? String)
        #expect(verdict.contains("syllables between two pauses on average; the target was 6."))
        #expect(verdict.hasPrefix(drill["isReached"] as? Bool == true ? "Reached." : "Not yet."))
        let tellings = try #require(drill["tellings"] as? [[String: Any]])
        #expect(tellings.map { $0["name"] as? String } == ["Answer 1", "Answer 2"])
        #expect(tellings.allSatisfy { ($0["peaks"] as? [Double])?.count == 240 && $0["answer"] is String })
        let measures = try #require(drill["measures"] as? [[String: Any]])
        #expect(measures.first?["name"] as? String == "Speech, seconds")
        #expect(measures.allSatisfy { ($0["values"] as? [Any])?.count == 2 })
        #expect((assessment["estimate"] as? [Any])?.isEmpty == true)

        // It stands among the drills only.
        func listed(_ kind: String) async throws -> [String?] {
            let page = try await learner.told("GET", "sessions" + kind)
            return (page["sessions"] as? [[String: Any]] ?? []).map { $0["drill"] as? String }
        }
        #expect(try await listed("?kind=drill") == ["pause-less"])
        #expect(try await listed("?kind=exam") == [])
        #expect(try await listed("") == ["pause-less"])
        #expect(try await learner.ask("GET", "sessions?kind=song").status == 400)
        let plan = try await learner.told("GET", "plan")
        #expect(((plan["progress"] as? [String: Any])?["exams"] as? [Any])?.isEmpty == true)
        await server.stop()
    }

    /// This server's voice spoke the sentences, so each repetition can be compared with the voice.
    @Test func aRepeatedSentenceIsComparedWithTheVoice() async throws {
        let sentence = "This is a short sentence."
        let session = try await held(.repeatAfterMe, sentences: [sentence, sentence])
        let assessment = try await learner.told("GET", "sessions/\(session.name)/assessment")
        let drill = try #require(assessment["drill"] as? [String: Any])
        let tellings = try #require(drill["tellings"] as? [[String: Any]])
        #expect(tellings.map { $0["name"] as? String } == ["Voice 1", "You 1", "Voice 2", "You 2"])
        #expect(tellings.map { $0["answer"] is String } == [false, true, false, true])
        #expect(drill["verdict"] as? String == "Not yet. 0 of 2 took about as long as the voice did.")

        // The voice can be heard, by the learner only.
        #expect(tellings.map { $0["voice"] is String } == [true, false, true, false])
        let voice = try #require(tellings[0]["voice"] as? String)
        let heard = try await server.ask("GET", voice, as: learner.user)
        #expect(heard.status == 200 && heard.header("Content-Type") == "audio/wav" && heard.body.count > 1000)
        #expect(try await server.ask("GET", voice, as: UUID()).status == 404)
        #expect(try await learner.ask("GET", "sessions/\(session.name)/voice/none").status == 404)
        await server.stop()
    }

    /// Sends an exam with two answers, and waits until it is measured.
    private func heldExam() async throws -> SessionTests.Held {
        let speech = "AudioFixtures/answers/building-1.flac"
        let exam = try SessionTests.Held(answers: 2, speech: speech, clipped: false, in: server.folder)
        // Any paper with the questions that were answered.
        let asked = try DrillExam(
            .pauseLess, (1...2).map { Paper.Question(id: "part1-home-\($0)", text: "Where do you live?") })
        let frozen = FrozenExam(format: asked.format, paper: asked.paper, options: asked.options)
        try await keep("exam.json", frozen.bytes, of: exam)
        try await measure(exam)
        return exam
    }

    /// Sends the drill in which the first answer of an exam is given again, and waits until it is measured.
    private func heldAgain(_ exam: SessionTests.Held) async throws -> (drill: UUID, made: FrozenExam) {
        let made = try await make(["again": ["session": exam.facts.id.name, "answer": "part1_q1"]])
        try #require(made.status == 201, "\(made.text)")
        let held = try await frozen(made.object)
        let id = try #require((made.object["session"] as? String).flatMap(UUID.init))
        let origin = try #require(try await server.services.store.service.files(of: id)[DrillOrigin.file])
        let drill = try SessionTests.Held(
            answers: 1, speech: "AudioFixtures/answers/building-1.flac", clipped: false, paper: held.paper.id,
            in: server.folder)
        try await keep(DrillOrigin.file, origin, of: drill)
        try await measure(drill)
        return (drill.facts.id, held)
    }

    @Test func anAnswerOfAnExamIsGivenAgainAndCompared() async throws {
        let exam = try await heldExam()
        let session = exam.facts.id.name
        let (drill, held) = try await heldAgain(exam)
        #expect(SpokenDrill(paper: held.paper.id) == .again)
        #expect(held.paper.sections.values.joined().flatMap(\.questions).map(\.id) == ["part1-home-1"])
        for (detail, wish) in [
            ("again.answer: must be part1_q1 or part1_q2.", ["session": session, "answer": "part9_q9"]),
            ("again.session: you have no exam with this id.", ["session": UUID().name, "answer": "part1_q1"]),
        ] {
            let refused = try await make(["again": wish])
            #expect(refused.status == 400 && refused.object["detail"] as? String == detail, "\(refused.text)")
        }
        #expect(try await make(["part": 1, "again": ["session": session, "answer": "part1_q1"]]).status == 400)

        let found = try await learner.told("GET", "sessions/\(drill.name)/assessment")
        let told = try #require(found["drill"] as? [String: Any])
        #expect((told["tellings"] as? [[String: Any]])?.map { $0["name"] as? String } == ["Before", "Now"])
        let again = try #require(told["again"] as? [String: Any])
        #expect(again["answer"] as? String == "part1_q1" && again["mended"] as? Int == 0)
        #expect((told["verdict"] as? String)?.hasPrefix("From ") == true, "\(told)")
        await server.stop()
    }

    /// The sentence with the mistake is asked in drills at once, the question comes back after days, and both are gone
    /// with the exam.
    @Test func whatWasMendedComesBack() async throws {
        let exam = try await heldExam()
        let session = exam.facts.id
        let answers = try await server.services.owned(by: learner.user).responses(of: session)
        let answer = try #require(answers.first { $0.record.name == "part1_q1" })
        let goed = Mistake(original: "goed", correction: "went", type: nil, start: 12, end: 16)
        let words = AnswerTranscript(
            answer: "part1_q1", recording: answer.sha256, source: .own, writtenAt: "", text: "Yesterday I goed home.",
            checks: [LanguageCheck(source: "checker", mistakes: [goed])])
        try await server.services.store.service.keep(words, of: answer.id, by: StoredExam.Finder.candidate)
        #expect(try await learner.ask("POST", "practice/drills", ["packs": ["mended"]]).status == 400)

        let drill = try await heldAgain(exam).drill
        let told = try await learner.told("GET", "sessions/\(drill.name)/assessment")["drill"] as? [String: Any]
        #expect((told?["again"] as? [String: Any])?["mended"] as? Int == 1)
        for _ in 0..<2 {
            #expect(try await learner.ask("POST", "plan/reviewed", ["session": drill.name]).status == 204)
        }
        let lines = try await server.services.owned(by: learner.user).newestPracticeLines(limit: 10)
        #expect(lines.count { $0.hasSuffix(" retold \(session.name) part1_q1") } == 1, "\(lines)")

        // A new sentence is asked before the hundreds of new questions of the packs.
        let begun = try await learner.begin(["count": 2])
        let question = try #require(begun["question"] as? [String: Any])
        #expect(question["pack"] as? String == "mended" && question["type"] as? String == "fillInTheBlank")
        #expect(question["prompt"] as? String == "Yesterday I ___ home. (You said: goed.)")
        let answered = try await learner.answer(begun, ["type": "fillInTheBlank", "textAnswer": "went"])
        #expect(answered.object["verdict"] as? String == "right", "\(answered.text)")

        func again() async throws -> [[String: Any]] {
            try #require(try await learner.told("GET", "practice")["again"] as? [[String: Any]])
        }
        #expect(try await again().isEmpty)
        clock.pass(seconds: 3 * 86_400)
        let due = try await again()
        #expect(
            due.map { $0 as? [String: String] } == [
                [
                    "session": session.name, "answer": "part1_q1", "name": "part 1, question 1",
                    "question": "Where do you live?",
                ]
            ])

        #expect(try await learner.ask("DELETE", "sessions/\(session.name)").status == 204)
        #expect(try await again().isEmpty)
        #expect(try await learner.ask("POST", "practice/drills", ["packs": ["mended"]]).status == 400)
        await server.stop()
    }

    /// An exam counts as practice on its day, in each place where days of practice are counted.
    @Test func anExamCountsAsADayOfPractice() async throws {
        func day() async throws -> [String: Any] { try await learner.told("GET", "practice") }
        #expect((try await day()["streak"] as? [String: Any])?["days"] as? Int == 0)
        let exam = try await heldExam()
        // To the hour after the exam.
        let began = try Date(exam.facts.startedAt, strategy: .iso8601)
        clock.pass(seconds: began.timeIntervalSince(clock.now()) + 3_600)
        let (practice, plan) = (try await day(), try await learner.told("GET", "plan"))
        #expect((practice["streak"] as? [String: Any])?["days"] as? Int == 1, "\(practice)")
        #expect((plan["streak"] as? [String: Any])?["days"] as? Int == 1, "\(plan)")
        #expect(practice["minutesToday"] as? Double ?? 0 > 0 && practice["new"] as? Int ?? 0 > 0)
        await server.stop()
    }

    @Test func itsSpeechCountsOnceInTheLearnersPractice() async throws {
        let session = try await held(.pauseLess)
        for _ in 0..<2 {
            #expect(try await learner.ask("POST", "plan/reviewed", ["session": session.name]).status == 204)
        }
        let lines = try await server.services.owned(by: learner.user).newestPracticeLines(limit: 10)
        #expect(lines.count { $0.contains(" spoke pause-less ") } == 1, "\(lines)")
        let drill = try #require(
            try await learner.told("GET", "sessions/\(session.name)/assessment")["drill"] as? [String: Any])
        let speech = try #require(drill["speech"] as? Double)
        #expect(lines.contains { $0.contains(" \((speech * 10).rounded() / 10) ") }, "\(lines) \(speech)")
        await server.stop()
    }
}
