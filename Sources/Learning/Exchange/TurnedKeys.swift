import Papers

extension PracticeQuestion {
    /// Returns whether this question has another right answer than before. A corrected word does not count. A learner
    /// who remembers such a question remembers a wrong answer.
    func isTurned(from before: PracticeQuestion) -> Bool {
        guard before.keyFault == nil, keyFault == nil else { return false }
        switch (before.key, key) {
        case (.multipleChoice(let old), .multipleChoice(let new)):
            guard old.options.indices.contains(old.correct), new.options.indices.contains(new.correct) else {
                return false
            }
            let (was, right) = (old.options[old.correct], new.options[new.correct])
            // If the right option was only reworded, neither list has the other's right option.
            return was != right && (new.options.contains(was) || old.options.contains(right))
        case (.multipleResponse(let old), .multipleResponse(let new)):
            return Set(old.correct.map { old.options[$0] }) != Set(new.correct.map { new.options[$0] })
                && Set(old.options) == Set(new.options)
        case (.ordering(let old), .ordering(let new)):
            return old.correct.map { old.options[$0] } != new.correct.map { new.options[$0] }
                && Set(old.options) == Set(new.options)
        case (.matching(let old), .matching(let new)):
            let was = Dictionary(zip(old.premises, old.correct.map { old.options[$0] })) { first, _ in first }
            return zip(new.premises, new.correct).contains { premise, place in
                was[premise].map { $0 != new.options[place] && new.options.contains($0) } ?? false
            }
        case (.fillInTheBlank(let old), .fillInTheBlank(let new)):
            let right = Set(new.accepted.map(AnswerKey.FillInTheBlank.normalised))
            return right.isDisjoint(with: old.accepted.map(AnswerKey.FillInTheBlank.normalised))
        case (.calculation(let old), .calculation(let new)):
            return abs(old.value - new.value) > max(old.tolerance ?? 0, new.tolerance ?? 0)
        case (.spoken, .spoken): return false
        case (.multipleChoice, _), (.multipleResponse, _), (.ordering, _), (.matching, _), (.fillInTheBlank, _),
            (.calculation, _), (.spoken, _):
            return true
        }
    }

    /// The reason why an imported question cannot be answered, including answers that cannot be given.
    var importFault: (field: String, what: String)? {
        if let fault = keyFault { return fault }
        guard case .fillInTheBlank(let key) = key,
            let lost = key.accepted.first(where: { AnswerKey.FillInTheBlank.normalised($0).isEmpty })
        else { return nil }
        return (
            "fillInTheBlank.accepted",
            "\"\(lost)\" can never be given, since punctuation alone does not count: remove it, or make it a choice"
        )
    }
}
