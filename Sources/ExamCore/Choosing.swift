// Alternatives that the candidate chooses between, and the turns that depend on the choice.

extension Exam {
    mutating func choose(_ alternative: Int, in turn: Int) -> [Command] {
        chosen[script.turns[turn].id] = alternative
        return [.choose(turn: turn, alternative)]
    }

    /// Chooses the first alternative if the candidate chose none.
    mutating func decide(_ turn: Int) -> [Command] {
        guard !script.turns[turn].alternatives.isEmpty, chosen[script.turns[turn].id] == nil else { return [] }
        return choose(0, in: turn)
    }

    /// Returns whether the exam includes this turn, given what was chosen before.
    func isWanted(_ turn: Int) -> Bool {
        guard let condition = script.turns[turn].condition else { return true }
        return chosen[condition.turn] ?? 0 == condition.choice
    }
}
