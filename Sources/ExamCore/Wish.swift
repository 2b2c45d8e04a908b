/// Something that a candidate may ask for. Scenarios, logs, keys, the live protocol and its page use the same words.
public enum Wish: String, CaseIterable, Codable, Sendable {
    /// Hear the question again.
    case `repeat`
    /// End the preparation and begin.
    case skip
    /// Declare the answer complete.
    case finish
    /// Begin the answer again.
    case again
    /// Take the first of two alternatives.
    case first
    /// Take the second of two alternatives.
    case second
    /// Stop the clocks.
    case pause
    /// Continue after a pause.
    case `continue`
    /// End the exam for good.
    case withdraw
}

extension Exam {
    /// Returns the wishes that are granted at this moment on the candidate's clock. Other wishes have no effect.
    ///
    /// This is the only place that decides it. The exam itself, views, screens, pages and the protocol all use it.
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
            // The time to choose ends with the preparation.
            return script.turns[turn].preparation == nil ? allowed.union(choices(in: turn)) : allowed
        case .suspended(let suspension): return suspension.cause == .candidate ? [.continue, .withdraw] : [.withdraw]
        }
    }

    /// Returns the wishes that time alone will allow, and how long until it does.
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

    /// Returns the wishes for the alternatives that are not chosen.
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
