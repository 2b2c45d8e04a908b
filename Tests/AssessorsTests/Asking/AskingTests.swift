import Assessment
import ExamCore
import Foundation
import Glibc
import HTTPClient
import Synchronization
import SystemSupport
import TestSupport
import Testing

@testable import Assessors
@testable import StudyFolders

/// Calls of assessors: made once, within a budget, and only with consent.
@Suite struct AskingTests {
    /// An assessor with scripted findings.
    private struct Told: Assessor {
        var source: MarkSource
        var recipient: String?
        var needsWords = false
        var say: @Sendable (AnswerToAssess, AssessorCalls) async throws(ServiceFailure) -> AssessorFinding

        init(
            _ id: String, needsWords: Bool = false, recipient: String? = nil,
            _ say: @escaping @Sendable (AnswerToAssess, AssessorCalls) async throws(ServiceFailure) -> AssessorFinding
        ) {
            source = MarkSource(kind: .machine, id: id, version: "1")
            self.needsWords = needsWords
            self.recipient = recipient
            self.say = say
        }

        func assess(_ answer: AnswerToAssess, _ calls: AssessorCalls) async throws(ServiceFailure) -> AssessorFinding {
            try await say(answer, calls)
        }
        func preview(of answer: AnswerToAssess) -> [String] { [] }
    }

    private static func finding(_ answer: AnswerToAssess, by id: String, words: Bool = false) -> AssessorFinding {
        var finding = answer.finding(by: MarkSource(kind: .machine, id: id, version: "1"))
        if words { finding.words = answer.words?.digest }
        return finding
    }

    // MARK: - Once

    /// An introduction cannot reach an assessor: the value that all assessors take cannot be made of one.
    @Test(arguments: ["full-name", "identity", "introduce-yourself"])
    func anIntroductionCannotBeAssessed(_ question: String) throws {
        let sample = try SampleAnswer()
        func answer(_ record: AnswerRecord) -> AnswerToAssess? {
            AnswerToAssess(
                record: record, recording: sample.answer.recording, path: sample.answer.path, sound: sample.answer.sound
            )
        }
        #expect(answer(AnswerRecord(question: question, part: 1, order: 1)) == nil)
        var own = AnswerRecord(question: "who-are-you", part: 1, order: 1)
        #expect(answer(own) != nil)
        own.purpose = .introduction
        #expect(answer(own) == nil)
    }

    /// A process may die between any two steps. The next process repeats no call whose answer was stored, and repeats
    /// the others with the same key.
    @Test func storedAnswersAreNotRequestedAgain() async throws {
        enum Death: CaseIterable { case beforeBegin, asking, answered, kept }
        struct Dead: Error {}
        for death in Death.allCases {
            let sample = try SampleAnswer()
            let asked = Mutex<[String]>([])
            let call = AssessorCall(
                recording: sample.answer.recording, assessor: "a", version: "1", name: "run 1", seconds: 1, cost: 0)
            do {
                let memory = try sample.memory()
                if death == .beforeBegin { throw Dead() }
                try memory.begin(call)
                if death == .asking { throw Dead() }
                asked.withLock { $0.append(call.key) }
                if death == .answered { throw Dead() }
                try memory.keep("well", to: call)
                throw Dead()
            } catch is Dead {}
            let assessor = MarkSource(kind: .machine, id: "a", version: "1")
            let calls = AssessorCalls(try sample.memory(), for: assessor, on: sample.answer.recording)
            let said = try await calls.once("run 1", seconds: 1) { (key) async throws(ServiceFailure) in
                asked.withLock { $0.append(key) }
                return "well"
            }
            #expect(said == "well")
            #expect(asked.withLock { $0.count } == (death == .answered ? 2 : 1), "\(death)")
            #expect(Set(asked.withLock { $0 }).count == 1)
        }
    }

    /// No process has read a line that was only half written.
    @Test(arguments: [1, 20, 60]) func aTornLineIsCutOff(_ lost: Int) throws {
        let sample = try SampleAnswer()
        let call = { (name: String) in
            AssessorCall(recording: "hash", assessor: "a", version: "1", name: name, seconds: 1, cost: 0)
        }
        do {
            let memory = try sample.memory()
            try memory.keep("first", to: call("1"))
            try memory.keep("second", to: call("2"))
        }
        let path = sample.folder.path + "/session/calls.jsonl"
        let bytes = try Data(contentsOf: URL(filePath: path))
        #expect(sample.folder.mode(of: "session/calls.jsonl") == 0o600)
        #expect(truncate(path, bytes.count - lost) == 0)
        do {
            let memory = try sample.memory()
            #expect(memory.answer(to: call("1")) == "first" && memory.answer(to: call("2")) == nil)
            try memory.keep("third", to: call("3"))
        }
        let memory = try sample.memory()
        #expect(memory.answer(to: call("1")) == "first" && memory.answer(to: call("3")) == "third")
    }

    @Test func twoProcessesDoNotAskAboutOneSession() throws {
        let sample = try SampleAnswer()
        let memory = try sample.memory()
        let problem = #expect(throws: Problem.self) { try sample.memory() }
        #expect(problem?.kind == .occupied)
        withExtendedLifetime(memory) {}
    }

    @Test func aForeignFileIsReported() throws {
        let sample = try SampleAnswer()
        do { _ = try sample.memory() }
        try Data("hello\n".utf8).write(to: URL(filePath: sample.folder.path + "/session/calls.jsonl"))
        let problem = #expect(throws: Problem.self) { try sample.memory() }
        #expect(problem?.kind == .malformed && problem?.sentence.contains("line 1") == true)
    }

    // MARK: - Budget

    @Test func aBudgetStopsAskingAndBeginsAnew() throws {
        let sample = try SampleAnswer()
        let call = { (seconds: Double, cost: Double) in
            AssessorCall(recording: "h", assessor: "a", version: "1", name: "n", seconds: seconds, cost: cost)
        }
        let spending = sample.spending()
        let budget = AssessorBudget(minutes: 2, money: 1)
        #expect(try spending.take(call(60, 0.5), within: budget) == nil)
        #expect(try spending.take(call(60, 0.5), within: budget) == nil)
        #expect(try spending.take(call(1, 0), within: budget)?.contains("budget of 2 minutes is spent") == true)
        #expect(
            try spending.take(call(0, 0.1), within: AssessorBudget(money: 1))?.contains("budget of 1 is spent") == true)
        #expect(try spending.spent() == AssessorSpending(seconds: 120, cost: 1))
        // The next day.
        let tomorrow = sample.spending("2026-11-25")
        #expect(try tomorrow.spent() == AssessorSpending())
        #expect(try tomorrow.take(call(60, 0.5), within: budget) == nil)
        #expect(try tomorrow.spent() == AssessorSpending(seconds: 60, cost: 0.5))
    }

    @Test func requestsBeyondTheBudgetAreNotMade() async throws {
        let sample = try SampleAnswer()
        let memory = try sample.memory(AssessorBudget(money: 1))
        let source = MarkSource(kind: .machine, id: "a", version: "1")
        let calls = AssessorCalls(
            memory, for: source, on: "hash", prices: AssessorPrices(perCall: 0.4, perMinute: 0.2))
        let asked = Mutex(0)
        func ask(_ name: String) async throws(ServiceFailure) -> String {
            try await calls.once(name, seconds: 60) { _ async throws(ServiceFailure) in
                asked.withLock { $0 += 1 }
                return "well"
            }
        }
        _ = try await ask("1")
        let failure = await #expect(throws: ServiceFailure.self) { try await ask("2") }
        #expect(failure?.kind == .spent && asked.withLock { $0 } == 1)
        // A known answer costs nothing.
        #expect(try await ask("1") == "well")
    }

    // MARK: - All of them

    @Test func recognisersRunBeforeJudges() async throws {
        let sample = try SampleAnswer(words: "typed")
        let judged = Mutex<[String?]>([])
        let judge = Told("judge", needsWords: true) { answer, _ throws(ServiceFailure) in
            judged.withLock { $0.append(answer.words?.text) }
            return Self.finding(answer, by: "judge", words: true)
        }
        let ear = Told("ear") { answer, _ throws(ServiceFailure) in
            var finding = Self.finding(answer, by: "ear")
            finding.transcript = AnswerTranscript(
                answer: "part1_q1", recording: answer.recording, source: .recogniser, writtenAt: "", text: "heard")
            return finding
        }
        var kept: [AssessorFinding] = []
        let seats = [AnswerAssessing.Seat(judge), .init(ear)]
        let assessing = AnswerAssessing(seats, memory: try sample.memory(), consents: [])
        #expect(!assessing.isDone(sample.answer, known: []))
        let gaps = try await assessing.assess(sample.answer, known: []) { kept.append($0) }
        #expect(gaps.isEmpty && kept.map(\.source.id) == ["ear", "judge"])
        #expect(judged.withLock { $0 } == ["heard"], "the judge gets the recogniser's words")
        #expect(assessing.isDone(sample.answer, known: kept))
        // All findings are known, so no assessor is called again.
        #expect(try await assessing.assess(sample.answer, known: kept, keep: { _ in Issue.record("again") }).isEmpty)
        // Without a recogniser the typed words count, and other words make another call.
        let alone = AnswerAssessing([.init(judge)], memory: try SampleAnswer().memory(), consents: [])
        var (answer, own) = (sample.answer, [AssessorFinding]())
        for (text, count) in [("typed", 2), ("typed", 2), ("typed again", 3)] {
            answer.words?.text = text
            _ = try await alone.assess(answer, known: own) { own.append($0) }
            #expect(judged.withLock { $0.count } == count)
        }
    }

    @Test func nothingIsSentWithoutConsent() async throws {
        let sample = try SampleAnswer()
        let asked = Mutex(0)
        let cloud = Told("cloud", recipient: "cloud.example.org") { answer, _ throws(ServiceFailure) in
            asked.withLock { $0 += 1 }
            return Self.finding(answer, by: "cloud")
        }
        let memory = try sample.memory()
        var gaps = try await AnswerAssessing([.init(cloud)], memory: memory, consents: ["other.example.org"])
            .assess(sample.answer, known: []) { _ in }
        #expect(gaps.map(\.lacksConsentTo) == ["cloud.example.org"] && asked.withLock { $0 } == 0)
        #expect(gaps.allSatisfy { !$0.mayComeLater })
        gaps = try await AnswerAssessing([.init(cloud)], memory: memory, consents: ["cloud.example.org"])
            .assess(sample.answer, known: []) { _ in }
        #expect(gaps.isEmpty && asked.withLock { $0 } == 1)
    }

    /// A service that refuses an answer has answered. A service that is away has not.
    @Test func aRefusalIsStoredAndAnOutageIsNot() async throws {
        let sample = try SampleAnswer()
        let no = Told("no") { _, _ throws(ServiceFailure) in throw ServiceFailure(.refused, "no answers 413") }
        let away = Told("away") { _, _ throws(ServiceFailure) in throw ServiceFailure(.later(nil), "away answers 503") }
        var kept: [AssessorFinding] = []
        let assessing = AnswerAssessing([.init(no), .init(away)], memory: try sample.memory(), consents: [])
        let gaps = try await assessing.assess(sample.answer, known: []) { kept.append($0) }
        #expect(kept.map(\.failure) == ["no answers 413"])
        #expect(gaps.map(\.assessor) == ["away"] && gaps.allSatisfy(\.mayComeLater))
    }

    @Test func anAssessorThatNeedsAPersonIsNotAskedAgain() {
        let round = AssessorRound()
        func gap(_ id: String, _ kind: ServiceFailure.Kind) -> AnswerAssessing.Gap {
            .init(assessor: id, failure: ServiceFailure(kind, "sentence"))
        }
        round.note([gap("keyless", .setUp), gap("slow", .later(nil))], said: [])
        #expect(round.whyOut("keyless") != nil && round.whyOut("slow") == nil)
        round.note([gap("slow", .later(nil))], said: [])
        // The assessor came back meanwhile. One answer resets the count of its failures.
        round.note([], said: ["slow"])
        for _ in 0..<2 { round.note([gap("slow", .later(nil))], said: []) }
        #expect(round.whyOut("slow") == nil)
        round.note([gap("slow", .later(nil))], said: [])
        #expect(round.whyOut("slow") != nil)
        var consent = gap("cloud", .setUp)
        consent.lacksConsentTo = "cloud.example.org"
        round.note([consent], said: [])
        #expect(round.whyOut("cloud") == nil, "the cloud was not asked")
        #expect(round.gaps.map(\.assessor) == ["keyless", "slow", "cloud"], "each reason is noted once")
    }
}
