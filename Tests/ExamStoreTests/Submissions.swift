import ExamStore
import Foundation
import StoreTrials
import Testing

/// Submitted answers: stored once, complete, and only by their owner.
@Suite(.bothStores) struct Submissions {
    static let answers = (1...4).map {
        SubmissionAnswer(question: "q\($0)", answer: #"{"multipleChoice":{"selectedOption":\#($0)}}"#)
    }

    @Test func aRepetitionGivesTheSameAttempt() async throws {
        try await withStore { store in
            let (mine, id) = (store.owned(by: UUID()), UUID())
            let opened = try await mine.openSubmission(id)
            #expect(opened == .created)
            #expect(try await mine.openSubmission(id) == .same)
            guard case .accepted(let attempt, true) = try await mine.submit(id, .init(answers: Self.answers)) else {
                Issue.record("it was not accepted")
                return
            }
            #expect(
                try await mine.submit(id, .init(answers: Self.answers.reversed()))
                    == .repeated(attempt: attempt, isWhole: true))
            let standing = try #require(try await mine.standing(ofSubmission: id))
            #expect(standing.status == .submitted && standing.attempt == attempt)
            #expect(try await store.owned(by: UUID()).standing(ofSubmission: id) == nil)
            let found = try #require(try await mine.submission(id))
            #expect(found.status == .submitted && found.attempt == attempt && found.answers == Self.answers)
            #expect(found.submittedAt != nil)
            var other = Self.answers
            other[0].answer = "{}"
            #expect(try await mine.submit(id, .init(answers: other)) == .conflict(.alreadySubmitted))
            let less = SubmissionBatch(answers: Array(Self.answers.dropLast()))
            #expect(try await mine.submit(id, less) == .conflict(.alreadySubmitted))
            #expect(try await mine.submission(id) == found)
        }
    }

    @Test func manyAtOnceAreOneAttempt() async throws {
        try await withStore { store in
            let (mine, id) = (store.owned(by: UUID()), UUID())
            _ = try await mine.openSubmission(id)
            let attempts = try await withThrowingTaskGroup(of: UUID?.self) { group in
                for _ in 0..<12 {
                    group.addTask {
                        switch try await mine.submit(id, .init(answers: Self.answers)) {
                        case .accepted(let attempt, _), .repeated(let attempt, _): attempt
                        case .conflict, .missing: nil
                        }
                    }
                }
                return try await group.reduce(into: Set<UUID?>()) { $0.insert($1) }
            }
            #expect(attempts.count == 1 && attempts.first != .some(nil))
        }
    }

    @Test func batchesMayComeInAnyOrder() async throws {
        try await withStore { store in
            let (mine, id) = (store.owned(by: UUID()), UUID())
            _ = try await mine.openSubmission(id)
            let first = SubmissionBatch(number: 1, of: 2, answers: Array(Self.answers[..<2]))
            let second = SubmissionBatch(number: 2, of: 2, answers: Array(Self.answers[2...]))
            guard case .accepted(let attempt, false) = try await mine.submit(id, second) else {
                Issue.record("the second batch was not accepted first")
                return
            }
            #expect(try await mine.submit(id, second) == .repeated(attempt: attempt, isWhole: false))
            #expect(try await mine.submission(id)?.status == .inProgress)
            #expect(try await mine.submit(id, first) == .accepted(attempt: attempt, isWhole: true))
            #expect(try await mine.submit(id, first) == .repeated(attempt: attempt, isWhole: true))
            // The same answers in one batch.
            #expect(
                try await mine.submit(id, .init(answers: Self.answers)) == .repeated(attempt: attempt, isWhole: true))
            #expect(try await mine.submission(id)?.answers == Self.answers)
        }
    }

    @Test func acceptedAnswersAreNeverReplaced() async throws {
        try await withStore { store in
            let (mine, id) = (store.owned(by: UUID()), UUID())
            _ = try await mine.openSubmission(id)
            let first = SubmissionBatch(number: 1, of: 3, answers: Array(Self.answers[..<2]))
            guard case .accepted(let attempt, false) = try await mine.submit(id, first) else {
                Issue.record("the first batch was not accepted")
                return
            }
            let before = try await mine.submission(id)
            var changed = first
            changed.answers[0].answer = "{}"
            #expect(try await mine.submit(id, changed) == .conflict(.otherAnswers))
            let elsewhere = SubmissionBatch(number: 2, of: 3, answers: [changed.answers[0]])
            #expect(try await mine.submit(id, elsewhere) == .conflict(.otherAnswers))
            #expect(try await mine.submit(id, .init(number: 2, of: 2, answers: [])) == .conflict(.otherCount))
            #expect(try await mine.submit(id, .init(answers: Self.answers)) == .conflict(.otherCount))
            #expect(try await mine.submission(id) == before)
            await expect(.invalid) { _ = try await mine.submit(id, .init(number: 4, of: 3, answers: [])) }
            await expect(.invalid) {
                _ = try await mine.submit(id, .init(answers: [Self.answers[0], Self.answers[0]]))
            }
            // An empty batch is a batch.
            for number in 2...3 {
                let batch = SubmissionBatch(number: number, of: 3, answers: [])
                #expect(try await mine.submit(id, batch) == .accepted(attempt: attempt, isWhole: number == 3))
            }
        }
    }

    @Test func onlyItsOwnerHandsIn() async throws {
        try await withStore { store in
            let (mine, yours, id) = (store.owned(by: UUID()), store.owned(by: UUID()), UUID())
            _ = try await mine.openSubmission(id)
            #expect(try await yours.openSubmission(id) == .refused)
            #expect(try await yours.submit(id, .init(answers: Self.answers)) == .missing)
            #expect(try await yours.submission(id) == nil)
            #expect(try await store.service.owner(ofSubmission: id) == mine.user)
            #expect(try await store.service.owner(ofSubmission: UUID()) == nil)
        }
    }
}
