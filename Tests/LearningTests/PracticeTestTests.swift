import ExamCore
import Foundation
import Papers
import SystemSupport
import Testing

@testable import Learning

/// Tests of five-choice tests: requests, drawn questions, and events.
@Suite struct PracticeTestTests {
    private let bank = SampleQuestions.bank

    @Test func theSameRequestMakesTheSameBlueprintByteForByte() {
        let request = PracticeTestRequest(topics: ["food", "sport"], questionCount: 20, seed: 7)
        let one = TestBlueprint(request, bank: bank)
        #expect(JSONFile.encode(one) == JSONFile.encode(TestBlueprint(request, bank: bank)))
        #expect(one.topicQuotas == ["food": 10, "sport": 10])
        #expect(one.difficultyDistribution == ["Easy": 6, "Medium": 8, "Hard": 6])
        #expect(one.bloomDistribution.count == 6, "each level is asked for: \(one.bloomDistribution)")
        var other = request
        other.seed = 8
        #expect(one != TestBlueprint(other, bank: bank))
        // The digest of the first blueprint, which is the same on every machine.
        #expect(SHA256.hexadecimal(of: JSONFile.encode(one)).prefix(16) == "d9d2e78275772b48")
    }

    @Test(arguments: 1...40) func quotasAddUpToTheNumberOfQuestions(_ count: Int) {
        for difficulty in [nil] + Paper.Difficulty.allCases.map(Optional.some) {
            let one = TestBlueprint(
                PracticeTestRequest(difficulty: difficulty, questionCount: count, seed: UInt64(count)), bank: bank)
            #expect(one.slots.count == count && one.topicQuotas.values.reduce(0, +) == count)
            #expect(difficulty == nil || one.slots.allSatisfy { $0.difficulty == difficulty })
            let quotas = one.topicQuotas.values
            #expect((quotas.max() ?? 0) - (quotas.min() ?? 0) <= 1)
        }
    }

    @Test func drawnQuestionsMatchTheWishesOrSaySo() throws {
        let request = PracticeTestRequest(topics: ["food", "travel"], questionCount: 10, seed: 3)
        let drawn = try #require(DrawnTest(request, from: bank))
        #expect(drawn == DrawnTest(request, from: bank))
        #expect(Set(drawn.questions.map(\.id)).count == 10 && drawn.shortfalls.isEmpty, "\(drawn.shortfalls)")
        #expect(drawn.questions.allSatisfy { ["food", "travel"].contains($0.topic) })
        let odd = try #require(
            DrawnTest(PracticeTestRequest(topics: ["volcanoes"], questionCount: 2, seed: 3), from: bank))
        #expect(odd.shortfalls.count >= 2 && odd.shortfalls[0].contains("not volcanoes"))
        let evaluating = bank.filter { $0.bloom == .evaluate }
        let narrow = try #require(DrawnTest(PracticeTestRequest(questionCount: 3, seed: 1), from: evaluating))
        let last = try #require(narrow.shortfalls.last)
        #expect(
            last.hasPrefix("no question asks the learner to ") && !last.contains("evaluate"), "\(narrow.shortfalls)")
        #expect(DrawnTest(PracticeTestRequest(questionCount: 100, seed: 1), from: Array(bank.prefix(20))) == nil)
        let all = try #require(DrawnTest(PracticeTestRequest(questionCount: bank.count, seed: 1), from: bank))
        #expect(Set(all.questions.map(\.id)).count == bank.count)
    }

    // MARK: - Events

    private func test(_ events: PracticeTest.Event...) throws -> PracticeTest {
        var test = PracticeTest(id: "t", PracticeTestRequest(questionCount: 2, seed: 1), bank: bank)
        for event in events { try test.handle(event) }
        return test
    }

    private var two: PracticeTest.Event { .written(Array(bank.prefix(2))) }

    @Test func eachStateTakesItsEventsAndNoOthers() throws {
        let right = PracticeTest.Event.answer(question: bank[0].id, .multipleChoice(selectedOption: 0), seconds: 1)
        let events = [two, .failed("why"), .retry, .start, right, .leave, .submit(at: 9)]
        let states: [(PracticeTest, allowed: [Int])] = [
            (try test(), [0, 1]), (try test(.failed("x")), [2]), (try test(two), [3]),
            (try test(two, .start), [4, 5, 6]),
            (try test(two, .start, .submit(at: 1)), []), (try test(.failed("x"), .retry), [0, 1]),
        ]
        for (start, allowed) in states {
            for (number, event) in events.enumerated() {
                var one = start
                if allowed.contains(number) {
                    try one.handle(event)
                } else {
                    #expect(throws: IllegalEvent.self) { try one.handle(event) }
                    #expect(one == start)
                }
            }
        }
        var short = try test()
        #expect(throws: IllegalEvent.self) { try short.handle(.written([])) }
    }

    @Test func answersChangeUntilTheTestIsHandedIn() throws {
        var one = try test(two, .start)
        let first = one.questions[0]
        guard case .multipleChoice(let key) = first.key else { throw CancellationError() }
        try one.handle(.answer(question: first.id, .multipleChoice(selectedOption: (key.correct + 1) % 5), seconds: 4))
        #expect(one.correctCount == nil && one.score == nil)
        try one.handle(.leave)
        try one.handle(.answer(question: first.id, .multipleChoice(selectedOption: key.correct), seconds: 2.5))
        #expect(one.answers[first.id]?.seconds == 6.5)
        #expect(throws: IllegalEvent.self) {
            try one.handle(.answer(question: first.id, .multipleChoice(selectedOption: 5), seconds: 1))
        }
        #expect(throws: IllegalEvent.self) {
            try one.handle(.answer(question: "other", .multipleChoice(selectedOption: 0), seconds: 1))
        }
        try one.handle(.submit(at: 1_000))
        #expect(one.correctCount == 1 && one.score == 0.5 && one.submittedAt == 1_000)
        #expect(throws: IllegalEvent.self) {
            try one.handle(.answer(question: first.id, .multipleChoice(selectedOption: 0), seconds: 1))
        }
        #expect(try JSONDecoder().decode(PracticeTest.self, from: Data(JSONFile.encode(one))) == one)
    }
}
