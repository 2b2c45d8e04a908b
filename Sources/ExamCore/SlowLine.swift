// A candidate far away: what is said arrives late, and what the exam shows is seen late.

extension Exam {
    mutating func seen(on screen: Screen) -> [Command] {
        if case .over = phase { return [] }
        self.screen = screen
        return []
    }

    /// Nothing happens until nobody speaks: `waitForLine`.
    mutating func fellBehind() -> [Command] {
        if case .over = phase { return [] }
        isBehind = true
        return []
    }

    mutating func caughtUp(at moment: ExamTime) -> [Command] {
        if case .over = phase { return [] }
        isBehind = false
        guard case .suspended(let suspension) = phase, suspension.cause == .line else { return [] }
        return resume(suspension, at: moment)
    }

    /// Stands still between two prompts, until all that was said is heard.
    mutating func waitForLine(at moment: ExamTime) {
        if isBehind, case .gap = phase { _ = suspend(.line, at: moment) }
    }

    /// Ends a recording: at once where the candidate sees at once that the turn is over.
    mutating func stop(_ command: Command, of turn: Int) -> [Command] {
        switch screen {
        case .near: return [command]
        case .far:
            owed = command
            return [.runOn(take(turn))]
        }
    }

    /// The commands, and before them the one that is owed, where it is due.
    mutating func payingOwed(_ commands: [Command], after event: Event) -> [Command] {
        guard let owed, isDue(after: event, commands) else { return commands }
        self.owed = nil
        // After the last turn nothing is waited for.
        return [owed] + commands.filter { if case .runOn = $0 { false } else { true } }
    }

    /// Whether what is owed is due: the candidate knows, or something else is to be recorded, or nothing more.
    private func isDue(after event: Event, _ commands: [Command]) -> Bool {
        switch (event, phase) {
        case (.noticed, _), (.screen(.near), _), (_, .processing), (_, .over): true
        case (_, .suspended(let suspension)): suspension.cause != .line
        default: commands.contains { $0.opensTake }
        }
    }
}
