// A remote candidate: speech arrives late, and the candidate sees late what the exam shows.

extension Exam {
    mutating func seen(on screen: Screen) -> [Command] {
        if case .over = phase { return [] }
        self.screen = screen
        return []
    }

    /// Notes that the line is slow. The exam waits only between two prompts: see `waitForLine`.
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

    /// Suspends the exam between two prompts until everything that was said has arrived.
    mutating func waitForLine(at moment: ExamTime) {
        if isBehind, case .gap = phase { _ = suspend(.line, at: moment) }
    }

    /// Ends a recording. If the candidate's screen is far, or the candidate may still continue the answer, the take
    /// keeps recording and the command is owed.
    mutating func stop(_ command: Command, of turn: Int) -> [Command] {
        guard screen == .far || yielding != nil else { return [command] }
        owed = command
        return [.runOn(take(turn))]
    }

    /// Returns the commands, preceded by the owed one if it is due.
    mutating func payingOwed(_ commands: [Command], after event: Event, at moment: ExamTime) -> [Command] {
        guard let owed, isDue(after: event, commands, at: moment) else { return commands }
        (self.owed, yielding) = (nil, nil)
        // After the last turn there is nothing to wait for.
        return [owed] + commands.filter { if case .runOn = $0 { false } else { true } }
    }

    /// Returns whether the owed command is due: the candidate has noticed, another recording starts, or no recording
    /// follows.
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
