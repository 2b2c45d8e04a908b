public import Learning

/// A learner's tests: started, answered and handed in. Each change is stored before this returns.
public struct TestTaking: Sendable {
    private let shelf: any LearnerShelf

    /// Takes the tests of a shelf.
    public init(on shelf: some LearnerShelf) { self.shelf = shelf }

    /// The time that the learner spent on a question.
    public enum Time: Sendable {
        /// The seconds since the learner opened the question this time.
        case look(Double)
        /// The seconds of all times together, so that a repeated request does not count twice.
        case total(Double)
    }

    /// Starts a test, or continues one that was started.
    ///
    /// - Throws: `TakingRefusal.missing` or `notReady`; the shelf's errors.
    public func start(_ id: PracticeTest.ID) async throws -> PracticeTest {
        try await change(id) { test in
            if test.status == .inProgress { return }
            guard (try? test.handle(.start)) != nil else { throw TakingRefusal.notReady(test.status) }
        }
    }

    /// Stores an answer. It can be changed until the test is handed in.
    ///
    /// - Parameter answer: Returns the answer for the question. Nil if it is not of the question's kind.
    /// - Throws: `TakingRefusal.missing`, `notInProgress`, `noQuestion` or `notAnAnswer`; the shelf's errors.
    public func answer(
        _ question: PracticeQuestion.ID, of id: PracticeTest.ID, in time: Time,
        _ answer: @escaping @Sendable (PracticeQuestion) -> PracticeAnswer?
    ) async throws -> PracticeTest {
        try await change(id) { test in
            guard test.status == .inProgress else { throw TakingRefusal.notInProgress }
            guard let asked = test.questions.first(where: { $0.id == question }) else { throw TakingRefusal.noQuestion }
            let seconds =
                switch time {
                case .look(let seconds): seconds
                case .total(let seconds): seconds - (test.answers[question]?.seconds ?? 0)
                }
            guard let given = answer(asked),
                (try? test.handle(.answer(question: question, given, seconds: seconds))) != nil
            else { throw TakingRefusal.notAnAnswer }
        }
    }

    /// Hands a test in, which grades it.
    ///
    /// - Throws: `TakingRefusal.missing` or `notInProgress`; the shelf's errors.
    public func handIn(_ id: PracticeTest.ID, at moment: StudyMoment) async throws -> PracticeTest {
        try await change(id) { test in
            guard (try? test.handle(.submit(at: Double(moment.seconds)))) != nil else {
                throw TakingRefusal.notInProgress
            }
        }
    }

    private func change(
        _ id: PracticeTest.ID, _ change: @escaping @Sendable (inout PracticeTest) throws -> Void
    ) async throws -> PracticeTest {
        guard let test = try await shelf.change(test: id, change) else { throw TakingRefusal.missing }
        return test
    }
}

/// The reasons why a test was not changed. Nothing was stored then.
public enum TakingRefusal: Error, Equatable, Sendable {
    /// The learner has no such test.
    case missing
    /// The test is still being written, writing it failed, or it was handed in.
    case notReady(PracticeTest.Status)
    /// The test was not started yet, or was handed in.
    case notInProgress
    /// The test has no such question.
    case noQuestion
    /// The question takes another kind of answer.
    case notAnAnswer
}

extension PracticeTest {
    /// The event of the practice log that counts the test. Nil before it is handed in.
    public var event: PracticeEvent? {
        TestResult(self).map { .tested(test: id, right: $0.right, of: $0.count, seconds: $0.seconds) }
    }
}
