// What a candidate chooses between, and what depends on it.

extension Exam {
    mutating func choose(_ alternative: Int, in turn: Int) -> [Command] {
        chosen[script.turns[turn].id] = alternative
        return [.choose(turn: turn, alternative)]
    }

    /// Who chose nothing takes the first.
    mutating func decide(_ turn: Int) -> [Command] {
        guard !script.turns[turn].alternatives.isEmpty, chosen[script.turns[turn].id] == nil else { return [] }
        return choose(0, in: turn)
    }

    /// Whether a turn is come to, as far as that depends on what was chosen.
    func isWanted(_ turn: Int) -> Bool {
        guard let condition = script.turns[turn].condition else { return true }
        return chosen[condition.turn] ?? 0 == condition.choice
    }
}
