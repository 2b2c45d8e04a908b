// Pauses and lost devices: the candidate's clock stands still, and the exam goes on where it was.

extension Exam {
    public struct Suspension: Equatable, Sendable {
        public enum Cause: String, Equatable, Sendable { case candidate, device }
        public var cause: Cause
        /// On the room's clock.
        public var since: ExamTime
        public var was: Phase
    }

    /// Stops the candidate's clock. A pause keeps the take and goes on with it; a lost device ends the take, and the
    /// question is asked again in a second attempt.
    mutating func suspend(_ cause: Suspension.Cause, at moment: ExamTime) -> [Command] {
        let now = moment - suspended
        var since = moment
        var was = phase
        var commands: [Command] = []
        switch phase {
        case .waiting, .processing, .over:
            return []  // No time is running.
        case .suspended(let suspension):
            guard cause == .device, suspension.cause == .candidate else { return [] }  // It stands still already.
            since = suspension.since
            was = suspension.was
        case .gap, .preparing:
            break
        case .speaking:
            commands = [.stopPlaying]
        case .answering(let turn, var answer):
            if cause == .candidate { commands = [.holdTake(take(turn))] }
            answer.voiceEnded(at: now)
            was = .answering(turn: turn, answer)
        }
        if cause == .device, let (turn, again) = askingAgain(was) {
            commands.append(.closeTake(take(turn), .deviceLost))
            attempt += 1
            was = again
        }
        phase = .suspended(Suspension(cause: cause, since: since, was: was))
        return commands
    }

    /// The turn whose take a lost device ends in this phase, and where that turn begins again.
    private func askingAgain(_ phase: Phase) -> (turn: Int, phase: Phase)? {
        let turn: Int
        switch phase {
        case .answering(let answered, _): turn = answered
        case .speaking(let speech):
            guard case .nudge = speech.purpose else { return nil }
            turn = speech.turn
        case .waiting, .gap, .preparing, .suspended, .processing, .over: return nil
        }
        if script.turns[turn].preparation != nil {
            // Preparation was had; the turn begins again with "please begin".
            return (turn, .preparing(Preparing(turn: turn, began: .zero, until: .zero, warningsPast: 0)))
        }
        return (turn, .gap(Prompt(turn: turn, clip: script.turns[turn].prompt.count - 1), until: .zero))
    }

    mutating func resume(from cause: Suspension.Cause, at moment: ExamTime) -> [Command] {
        guard case .suspended(let suspension) = phase, suspension.cause == cause else { return [] }
        suspended += moment - suspension.since
        phase = suspension.was
        switch phase {
        case .speaking(let speech):
            return [.play(speech.clip)]
        case .answering(let turn, var answer):
            answer.resumed(at: moment - suspended)
            phase = .answering(turn: turn, answer)
            return [.resumeTake(take(turn))]
        case .waiting, .gap, .preparing, .suspended, .processing, .over:
            return []  // Deadlines are on the candidate's clock, which stood still.
        }
    }
}
