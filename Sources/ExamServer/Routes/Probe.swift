import SystemSupport

/// Asks a question that may hang, for callers that cannot wait. All callers share one question at a time.
///
/// If a question is not answered in time, it counts as failed for all callers until it is answered.
actor Probe<Value: Sendable> {
    private let patience: Duration
    private let question: @Sendable () async throws -> Value
    private var asked: (at: Duration, answer: Task<Value?, Never>)?

    init(patience: Duration, _ question: @escaping @Sendable () async throws -> Value) {
        self.patience = patience
        self.question = question
    }

    /// Returns the answer. Nil if the question failed or takes too long.
    func answer() async -> Value? {
        let (began, answer) = asked ?? ask()
        let left = began + patience - SteadyClock.now
        guard left > .zero else { return nil }
        let (answers, said) = AsyncStream.makeStream(of: Value?.self, bufferingPolicy: .bufferingOldest(1))
        Task { said.yield(await answer.value) }
        let timer = Task {
            try await Task.sleep(for: left)
            said.yield(nil)
        }
        defer { timer.cancel() }
        for await value in answers { return value }
        return nil
    }

    private func ask() -> (at: Duration, answer: Task<Value?, Never>) {
        let question = question
        let new = (
            at: SteadyClock.now,
            answer: Task { [weak self] in
                let value = try? await question()
                await self?.answered()
                return value
            }
        )
        asked = new
        return new
    }

    private func answered() { asked = nil }
}
