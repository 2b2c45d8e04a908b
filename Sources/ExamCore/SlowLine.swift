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

    /// Ends a recording: at once if the candidate sees at once that the turn is over, and may not go on with the answer.
    mutating func stop(_ command: Command, of turn: Int) -> [Command] {
        guard screen == .far || yielding != nil else { return [command] }
        owed = command
        return [.runOn(take(turn))]
    }

    /// The commands, and before them the one that is owed, where it is due.
    mutating func payingOwed(_ commands: [Command], after event: Event, at moment: ExamTime) -> [Command] {
        guard let owed, isDue(after: event, commands, at: moment) else { return commands }
        (self.owed, yielding) = (nil, nil)
        // After the last turn nothing is waited for.
        return [owed] + commands.filter { if case .runOn = $0 { false } else { true } }
    }

    /// Whether what is owed is due: the candidate knows, or something else is to be recorded, or nothing more.
    private func isDue(after event: Event, _ commands: [Command], at moment: ExamTime) -> Bool {
        switch (event, phase) {
        case (_, .processing), (_, .over): return true
        case (_, .suspended(let suspension)): return suspension.cause != .line
        default: break
        }
        if commands.contains(where: \.opensTake) { return true }
        guard let yielding else { return event == .noticed || event == .screen(.near) }
        return (screen == .near || yielding.isNoticed) && !mayBargeIn(at: moment - suspended)
    }
}
