import ExamCore
import Foundation
import StoreTrials
import TestSupport
import Testing

@testable import ExamStore

/// The state machine of submissions: every state with every batch, and thousands of random orders.
@Suite(.bothStores) struct HandingInTests {
    private static let one = ["q1": "a", "q2": "b"]
    private static let two = ["q3": "c"]
    private static let nothing = HandingIn()
    private static let some = HandingIn(count: 2, batches: [1: one])
    private static let whole = HandingIn(count: 2, batches: [1: one, 2: two])

    /// Rows of state, batch and outcome.
    private static let table: [(HandingIn, Int, Int, [String: String], HandingIn.Outcome)] = [
        (nothing, 1, 2, one, .accepted), (nothing, 2, 2, two, .accepted), (nothing, 1, 1, one, .accepted),
        (nothing, 1, 1, [:], .accepted),

        (some, 1, 2, one, .repeated), (some, 2, 2, two, .accepted), (some, 2, 2, [:], .accepted),
        // A question may be in two batches, with the same answer.
        (some, 2, 2, ["q1": "a", "q3": "c"], .accepted),
        (some, 2, 2, ["q1": "x"], .refused(.otherAnswers)), (some, 1, 2, ["q1": "x"], .refused(.otherAnswers)),
        (some, 1, 2, [:], .refused(.otherAnswers)), (some, 1, 2, two, .refused(.otherAnswers)),
        (some, 1, 3, one, .refused(.otherCount)), (some, 2, 3, two, .refused(.otherCount)),
        (some, 1, 1, one, .refused(.otherCount)), (some, 1, 1, two, .refused(.otherCount)),

        (whole, 1, 2, one, .repeated), (whole, 2, 2, two, .repeated),
        (whole, 1, 1, one.merging(two) { $1 }, .repeated),
        (whole, 1, 2, two, .refused(.alreadySubmitted)), (whole, 2, 2, [:], .refused(.alreadySubmitted)),
        (whole, 1, 1, one, .refused(.alreadySubmitted)), (whole, 1, 3, one, .refused(.alreadySubmitted)),
        (whole, 3, 3, ["q4": "d"], .refused(.alreadySubmitted)),
    ]

    @Test func everyStateHasAnAnswerToEveryBatch() {
        for (state, number, of, answers, expected) in Self.table {
            var after = state
            #expect(after.take(number, of: of, answers) == expected, "\(state) \(number) of \(of) \(answers)")
            guard expected == .accepted else {
                #expect(after == state)
                continue
            }
            // The earlier batches are unchanged, and the new one is added.
            #expect(after.batches == state.batches.merging([number: answers]) { old, _ in old })
            #expect(after.count == of && after.isWhole == (after.batches.count == of))
        }
    }

    /// The batches of a client that sends them in any order, some of them twice, while another client sends some of
    /// them wrongly.
    private struct Delivery {
        var batches: [SubmissionBatch] = []

        init(_ random: inout some RandomNumberGenerator) {
            let count = Int.random(in: 1...4, using: &random)
            let right = (1...count).map { number in
                SubmissionBatch(
                    number: number, of: count,
                    answers: (0..<2).map { .init(question: "q\(number)-\($0)", answer: "\"\(number)\"") })
            }
            batches = right + right.filter { _ in .random(using: &random) }
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                var wrong = right.randomElement(using: &random)!
                switch Int.random(in: 0..<3, using: &random) {
                case 0: wrong.answers[0].answer = "\"other\""
                case 1: (wrong.number, wrong.of) = (1, count + 1)
                default: wrong.answers[0].question = "another"
                }
                batches.append(wrong)
            }
            batches.shuffle(using: &random)
        }
    }

    @Test func acceptedBatchesStayInAnyOrder() async throws {
        try await withStore { store in
            // All orders of the check together take two minutes.
            let orders = Thoroughness.count(80, check: 10_000)
            let seed = Thoroughness.seed()
            let failures = try await withThrowingTaskGroup(of: Int.self) { group in
                let lanes = 8
                for lane in 0..<lanes {
                    group.addTask {
                        var random = SplitMix64(seed: seed &+ UInt64(lane))
                        var failures = 0
                        for _ in 0..<orders / lanes where try await !Self.holds(store, Delivery(&random), &random) {
                            failures += 1
                        }
                        return failures
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(failures == 0, "seed \(seed)")
            print("batches: \(orders) orders, seed \(seed)")
        }
    }

    /// Sends batches by two clients at the same time, and returns whether everything that was confirmed still holds at
    /// the end.
    private static func holds(
        _ store: ExamDatabase, _ delivery: Delivery, _ random: inout SplitMix64
    ) async throws -> Bool {
        let (mine, id) = (store.owned(by: UUID()), UUID())
        _ = try await mine.openSubmission(id)
        let half = Int.random(in: 0...delivery.batches.count, using: &random)
        async let first = said(mine, id, delivery.batches[..<half])
        async let second = said(mine, id, delivery.batches[half...])
        let all = try await first + second
        guard let found = try await mine.submission(id) else { return false }
        let answers = Dictionary(uniqueKeysWithValues: found.answers.map { ($0.question, $0.answer) })
        var attempts: Set<UUID> = []
        var wholes = 0
        for (batch, said) in all {
            switch said {
            case .accepted(let attempt, let isWhole):
                attempts.insert(attempt)
                wholes += isWhole ? 1 : 0
                guard batch.answers.allSatisfy({ answers[$0.question] == $0.answer }) else { return false }
            case .repeated(let attempt, _):
                attempts.insert(attempt)
                guard batch.answers.allSatisfy({ answers[$0.question] == $0.answer }) else { return false }
            case .conflict: break
            case .missing: return false
            }
        }
        let accepted = all.compactMap { batch, said -> SubmissionBatch? in
            if case .accepted = said { batch } else { nil }
        }
        // Each number is accepted once, and all batches have the same count. After the last batch, the submission is
        // reported as whole, once. Then it is submitted.
        return attempts == Set([found.attempt].compactMap { $0 }) && Set(accepted.map(\.number)).count == accepted.count
            && Set(accepted.map(\.of)).count == 1
            && Set(accepted.flatMap(\.answers).map(\.question)).count == answers.count
            && (wholes == 1) == (accepted.count == accepted[0].of) && wholes <= 1
            && (found.status == .submitted) == (wholes == 1)
    }

    private static func said(
        _ mine: OwnedStore, _ id: UUID, _ batches: ArraySlice<SubmissionBatch>
    ) async throws -> [(SubmissionBatch, Submitted)] {
        var said: [(SubmissionBatch, Submitted)] = []
        for batch in batches { said.append((batch, try await mine.submit(id, batch))) }
        return said
    }
}
