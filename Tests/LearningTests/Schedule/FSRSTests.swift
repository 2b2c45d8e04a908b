import Foundation
import Learning
import TestSupport
import Testing

/// Compares the schedule with published values and with the PyPI package.
@Suite struct FSRSTests {
    private let scheduler = FSRS()
    private static let day = 86_400

    /// Returns the days between answers that are given whenever the memory is due.
    private func intervals(_ ratings: [FSRS.Rating]) -> [Int] {
        var (now, memory) = (1_700_000_000, FSRS.Memory?.none)
        return ratings.map { rating in
            let next = scheduler.review(memory, rating, at: now)
            defer { (memory, now) = (next, next.dueAt) }
            return (next.dueAt - now) / Self.day
        }
    }

    /// `test_review_card` of py-fsrs.
    @Test func intervalsAreThoseOfThePackage() {
        let ratings =
            Array(repeating: FSRS.Rating.good, count: 6) + [.again, .again]
            + Array(repeating: .good, count: 5)
        #expect(intervals(ratings) == [0, 2, 11, 46, 163, 498, 0, 0, 2, 4, 7, 12, 21])
    }

    /// `test_memo_state` of py-fsrs.
    @Test func memoriesAreThoseOfThePackage() throws {
        var (now, memory) = (1_700_000_000, FSRS.Memory?.none)
        for (rating, days) in [(FSRS.Rating.again, 0), (.good, 0), (.good, 1), (.good, 3), (.good, 8), (.good, 21)] {
            now += days * Self.day
            memory = scheduler.review(memory, rating, at: now)
        }
        let known = try #require(memory)
        #expect(abs(known.stability - 53.6269) < 1e-4 && abs(known.difficulty - 6.3575) < 1e-4)
    }

    @Test func newKnowledgeIsForgottenSlowly() {
        let memory = scheduler.review(scheduler.review(nil, .good, at: 0), .good, at: 600)
        #expect(scheduler.retrievability(of: memory, at: 600) == 1)
        #expect(scheduler.retrievability(of: memory, at: 600 - Self.day) == 1, "a clock that was set back")
        let later = (1...400).map { scheduler.retrievability(of: memory, at: 600 + $0 * Self.day) }
        #expect(zip(later, later.dropFirst()).allSatisfy { $0 > $1 } && later.allSatisfy { (0..<1).contains($0) })
        // Nine of ten such memories remain after as many days as their stability.
        let due = scheduler.retrievability(of: memory, at: memory.dueAt)
        #expect(abs(due - 0.9) < 0.03)
    }

    /// One right answer at the due date raises the mastery by one.
    @Test func masteryRisesWithEachRightAnswer() {
        var (now, memory) = (0, FSRS.Memory?.none)
        var levels: [Int] = []
        for rating in [FSRS.Rating.good, .good, .good, .good, .good, .good, .again, .good] {
            let next = scheduler.review(memory, rating, at: now)
            levels.append(next.mastery)
            (memory, now) = (next, next.dueAt)
        }
        #expect(levels == [1, 2, 3, 4, 5, 5, 1, 2])
    }

    @Test(.needs(Trials.obstacle(to: "fsrs"))) func aThousandHistoriesGiveTheResultsOfThePackage() async throws {
        let (status, said) = await Trials.python("histories.py", ["1000", "4"])
        try #require(status == 0, "\(said.suffix(600))")
        let lines = said.split(separator: "\n")
        #expect(lines.count == 1000)
        for line in lines {
            let reviews = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [[Any]])
            var memory: FSRS.Memory?
            for review in reviews {
                let numbers = review.map { ($0 as? NSNumber)?.doubleValue ?? .nan }
                let rating = try #require(FSRS.Rating(rawValue: Int(numbers[1])))
                let next = scheduler.review(memory, rating, at: Int(numbers[0]))
                let isAlike =
                    next.phase.rawValue == review[2] as? String && abs(next.stability / numbers[3] - 1) < 1e-9
                    && abs(next.difficulty - numbers[4]) < 1e-9 && next.step == Int(numbers[5])
                    && next.dueAt == Int(numbers[6])
                try #require(isAlike, "\(line)")
                memory = next
            }
        }
    }
}
