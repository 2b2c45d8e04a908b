/// What a candidate may ask for, beside speaking. Scenarios, logs, keys, the live protocol and its page have the same words.
public enum Wish: String, CaseIterable, Codable, Sendable {
    /// To hear the question again.
    case `repeat`
    /// To have no more time to prepare, and begin.
    case skip
    /// To have the answer taken as complete.
    case finish
    /// To begin the answer again.
    case again
    /// To take the first of two alternatives.
    case first
    /// To take the second.
    case second
    /// To stop the clocks.
    case pause
    /// To go on after a pause.
    case `continue`
    /// To end the exam for good.
    case withdraw
}

extension Exam {
    /// What is granted at this moment on the candidate's clock; a wish that is not changes nothing.
    ///
    /// The only place where that is said: the exam grants by it, and views, screens, pages and the protocol show it.
    func allowed(at now: ExamTime) -> Set<Wish> {
        let pause: Set<Wish> = script.options.mode == .practice ? [.pause] : []
        switch phase {
        case .waiting, .processing, .over: return []
        case .gap, .speaking: return pause.union([.withdraw])
        case .preparing(let preparing):
            return pause.union(maySkip(preparing, at: now) ? [.skip, .withdraw] : [.withdraw])
                .union(choices(in: preparing.turn))
        case .answering(let turn, let answer):
            let rule = script.turns[turn].answer!
            var allowed = pause.union([.withdraw])
            if answer.mayRepeat(rule) { allowed.insert(.repeat) }
            if let earliest = rule.finishableAfter, now - answer.openedAt >= earliest { allowed.insert(.finish) }
            if restarts + 1 < rule.attempts { allowed.insert(.again) }
            // What one had time to decide is decided when that time is over.
            return script.turns[turn].preparation == nil ? allowed.union(choices(in: turn)) : allowed
        case .suspended(let suspension): return suspension.cause == .candidate ? [.continue, .withdraw] : [.withdraw]
        }
    }

    /// What will be granted when so much more time has passed, if nothing else happens.
    func allowedLater(at now: ExamTime) -> [Wish: Duration] {
        switch phase {
        case .preparing(let preparing):
            guard script.options.mode == .practice,
                let earliest = script.turns[preparing.turn].preparation?.skippableAfter,
                preparing.began + earliest > now, preparing.began + earliest < preparing.until
            else { return [:] }
            return [.skip: preparing.began + earliest - now]
        case .answering(let turn, let answer):
            guard let earliest = script.turns[turn].answer!.finishableAfter, answer.openedAt + earliest > now else {
                return [:]
            }
            return [.finish: answer.openedAt + earliest - now]
        case .waiting, .gap, .speaking, .suspended, .processing, .over: return [:]
        }
    }

    /// The alternatives that are not chosen.
    private func choices(in turn: Int) -> Set<Wish> {
        guard !script.turns[turn].alternatives.isEmpty else { return [] }
        return switch chosen[script.turns[turn].id] {
        case nil: [.first, .second]
        case 0: [.second]
        default: [.first]
        }
    }

    private func maySkip(_ preparing: Preparing, at now: ExamTime) -> Bool {
        guard script.options.mode == .practice,
            let earliest = script.turns[preparing.turn].preparation?.skippableAfter
        else { return false }
        return now - preparing.began >= earliest
    }
}
