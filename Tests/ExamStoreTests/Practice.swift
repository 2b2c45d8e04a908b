import Foundation
import StoreTrials
import Testing

@testable import ExamStore

/// Practice tests, and the lines of practice logs.
@Suite(.bothStores) struct Practice {
    private static func test(_ state: StoredTest.State = .ready, isByModel: Bool = false) -> StoredTest {
        StoredTest(id: UUID(), state: state, isByModel: isByModel, document: "{\"a\":\"é\"}")
    }

    /// Returns the test as submitted, without answers.
    private static func finish(_ test: StoredTest) -> StoredTest {
        var finished = test
        (finished.state, finished.document, finished.offset) = (.submitted, "done", 3_600)
        return finished
    }

    @Test func aTestBelongsToOneUserAndIsASubmission() async throws {
        try await withStore { store in
            let (ann, ben) = (store.owned(by: UUID()), store.owned(by: UUID()))
            let test = Self.test()
            #expect(try await ann.add(test, most: 2, mostWritten: 0) == nil)
            #expect(try await ann.practiceTest(test.id)?.document == test.document)
            #expect(try await ben.practiceTest(test.id) == nil)
            #expect(try await !ben.erasePracticeTest(test.id))
            #expect(try await ben.change(practiceTest: test.id) { ($0, true) } == nil)
            #expect(try await ben.submit(test.id, .init(answers: [])) == .missing)
            #expect(try await ann.submit(test.id, .init(answers: [])) == .conflict(.notInProgress))
            let begun: Bool? = try await ann.change(practiceTest: test.id) {
                var begun = $0
                begun.state = .inProgress
                return (begun, true)
            }
            #expect(begun == true)
            let half = SubmissionBatch(number: 2, of: 2, answers: [SubmissionAnswer(question: "q", answer: "{}")])
            guard case .accepted(let attempt, false) = try await ann.submit(test.id, half) else {
                Issue.record("it was not taken")
                return
            }
            #expect(try await ann.practiceTest(test.id)?.state == .inProgress)
            let rest = SubmissionBatch(number: 1, of: 2, answers: [])
            for isRepeated in [false, true] {
                let submitted = try await ann.submit(test.id, rest) { test, answers in
                    answers.count == 1 ? Self.finish(test) : nil
                }
                #expect(
                    submitted
                        == (isRepeated
                            ? .repeated(attempt: attempt, isWhole: true)
                            : .accepted(attempt: attempt, isWhole: true)))
            }
            let kept = try #require(try await ann.practiceTest(test.id))
            #expect(kept.state == .submitted && kept.document == "done" && kept.offset == 3_600)
            #expect(try await ann.standing(ofSubmission: test.id)?.status == .submitted)

            #expect(try await ann.add(Self.test(), most: 2, mostWritten: 0) == nil)
            #expect(try await ann.add(Self.test(), most: 2, mostWritten: 0) == .tests)
            #expect(try await ann.add(Self.test(.generating, isByModel: true), most: 9, mostWritten: 0) == .written)
            #expect(try await ann.practiceTests(limit: 9).count == 2)
            #expect(try await ann.erasePracticeTest(test.id))
            #expect(try await ann.standing(ofSubmission: test.id) == nil)
        }
    }

    @Test func oneGradesAndItIsALineOfTheLog() async throws {
        try await withStore { store in
            let (ann, service) = (store.owned(by: UUID()), store.service)
            let test = Self.test(.inProgress)
            #expect(try await ann.add(test, most: 9, mostWritten: 0) == nil)
            #expect(try await service.claimTest(.submitted, seconds: 9) == nil)
            _ = try await ann.submit(test.id, .init(answers: [])) { test, _ in Self.finish(test) }
            let dead = try #require(try await service.claimTest(.submitted, seconds: 60))
            #expect(dead.user == ann.user && dead.test.id == test.id && dead.test.offset == 3_600)
            #expect(try await service.claimTest(.submitted, seconds: 9) == nil)
            // Let the lease expire.
            try await service.write { _ = try $0.change("UPDATE practice_tests SET until = 0") }
            let claim = try #require(try await service.claimTest(.submitted, seconds: 60))
            #expect(try await !service.grade(dead, result: "{}", line: "dead"))
            #expect(try await ann.append(practiceLines: ["one", "two"], after: 0, knowing: nil))
            #expect(try await service.grade(claim, result: "{\"right\":1}", line: "tested"))
            #expect(try await !service.grade(claim, result: "{}", line: "twice"))
            let lines = try await ann.practiceLines(after: 0, knowing: nil, limit: 9)
            #expect(lines?.map(\.text) == ["one", "two", "tested"] && lines?.map(\.number) == [1, 2, 3])
            let standing = try #require(try await ann.standing(ofSubmission: test.id))
            #expect(standing.status == .graded && standing.result?.contains("right") == true)
            #expect(try await ann.practiceTest(test.id)?.state == .graded)
        }
    }

    /// A worker skips a locked row, and is woken again when the row is free.
    @Test func aLockedTestIsLookedForAgain() async throws {
        try await withStore { store in
            let (ann, service) = (store.owned(by: UUID()), store.service)
            let test = Self.test(.inProgress)
            #expect(try await ann.add(test, most: 9, mostWritten: 0) == nil)
            var wakeUps = service.wakeUps().makeAsyncIterator()
            await wakeUps.next()
            // PostgreSQL's wake-ups are heard after a while.
            if try Base.current != .sqlite { await wakeUps.next() }
            _ = try await ann.submit(test.id, .init(answers: [])) { test, _ in Self.finish(test) }
            await wakeUps.next()
            let outcome: Bool? = try await ann.change(practiceTest: test.id) { _ in (nil, false) }
            #expect(outcome == false)
            store.wakeUps.endSafetyNet()
            await wakeUps.next()
        }
    }

    @Test func aLogIsAppendedToByOneAtATime() async throws {
        try await withStore { store in
            let (ann, ben) = (store.owned(by: UUID()), store.owned(by: UUID()))
            #expect(try await ann.append(practiceLines: ["a", "b"], after: 0, knowing: nil))
            #expect(try await !ann.append(practiceLines: ["x"], after: 0, knowing: nil))
            #expect(try await !ann.append(practiceLines: ["x"], after: 1, knowing: "a"))
            #expect(try await !ann.append(practiceLines: ["x"], after: 2, knowing: "other"))
            #expect(try await !ann.append(practiceLines: ["x"], after: 5, knowing: "b"))
            #expect(try await ann.append(practiceLines: ["c"], after: 2, knowing: "b"))
            #expect(try await ann.practiceLines(after: 1, knowing: "a", limit: 1)?.map(\.text) == ["b"])
            #expect(try await ann.practiceLines(after: 3, knowing: "c", limit: 1) == [])
            #expect(try await ann.practiceLines(after: 3, knowing: "d", limit: 1) == nil)
            #expect(try await ben.practiceLines(after: 0, knowing: nil, limit: 9) == [])
            #expect(try await ben.append(practiceLines: ["his"], after: 0, knowing: nil))

            // The first writer gets the number, and the others learn that they don't.
            let won = try await withThrowingTaskGroup(of: Bool.self) { group in
                for place in 0..<8 {
                    group.addTask { try await ann.append(practiceLines: ["\(place)"], after: 3, knowing: "c") }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(won == 1)
            #expect(try await ann.practiceLines(after: 0, knowing: nil, limit: 9)?.count == 4)

            try await ann.erasePractice()
            #expect(try await ann.practiceLines(after: 3, knowing: "c", limit: 9) == nil)
            #expect(try await ann.practiceLines(after: 0, knowing: nil, limit: 9) == [])
            #expect(
                try await !ann.append(practiceLines: ["x"], after: 4, knowing: "0"),
                "the history was erased meanwhile, so the lines are refused")
            #expect(try await ben.practiceLines(after: 0, knowing: nil, limit: 9)?.count == 1)
        }
    }
}
