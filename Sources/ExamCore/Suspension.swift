// Pauses, lost devices and repeated answers. The candidate's clock stands still, and the exam then resumes.

extension Exam {
    public struct Suspension: Equatable, Sendable {
        public enum Cause: Equatable, Sendable {
            case candidate
            case device(Trouble)
            /// Some of what the candidate said has not arrived yet.
            case line
        }
        public var cause: Cause
        /// On the room's clock. If a question is asked again, this is when it was first asked, so that the candidate
        /// loses no time.
        public var since: ExamTime
        public var was: Phase
        /// Whether the candidate had paused the exam before the device was lost. If so, the exam waits for the
        /// candidate again afterwards.
        var wasPaused = false
    }

    /// Stops the candidate's clock. After a pause the same take continues. A lost device ends the take: the exam asks
    /// the question again in a second attempt, with the clock set back to when it was first asked.
    mutating func suspend(_ cause: Suspension.Cause, at moment: ExamTime) -> [Command] {
        let now = moment - suspended
        var since = moment
        var was = phase
        var wasPaused = false
        var commands: [Command] = []
        switch phase {
        case .waiting, .processing, .over:
            return []  // No time is running.
        case .suspended(let suspension):
            // The exam is already suspended. Only a lost device outranks a pause or a slow line.
            guard case .device = cause else { return [] }
            switch suspension.cause {
            case .device: return []
            case .candidate: wasPaused = true
            case .line: break  // When the device is back, the exam waits for the line again if necessary.
            }
            since = suspension.since
            was = suspension.was
        case .gap, .preparing:
            break
        case .speaking(let speech):
            commands = [.stopPlaying]
            since = min(since, speech.began + suspended)  // The words will be said again from the beginning.
        case .answering(let turn, var answer):
            if cause == .candidate { commands = [.holdTake(take(turn))] }
            _ = answer.voiceEnded(at: now)
            was = .answering(turn: turn, answer)
        }
        if case .device = cause, let (turn, again) = askingAgain(was) {
            commands.append(.closeTake(take(turn), .deviceLost))
            attempt += 1
            since = min(since, askedAt + suspended)
            was = again
        }
        phase = .suspended(Suspension(cause: cause, since: since, was: was, wasPaused: wasPaused))
        return commands
    }

    /// Returns the turn whose take a lost device ends in this phase, and the phase in which that turn begins again.
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
            // The candidate has already prepared. The turn begins again with "please begin".
            return (turn, .preparing(Preparing(turn: turn, began: .zero, until: .zero, warningsPast: 0)))
        }
        return (turn, .gap(Prompt(turn: turn, clip: script.turns[turn].prompt.count - 1), until: .zero))
    }

    /// Begins the answer again, from the last words or the tone before it. The candidate gets no second preparation.
    mutating func beginAgain(_ turn: Int) -> [Command] {
        let close = Command.closeTake(take(turn), .startedAgain)
        guard let (_, again) = askingAgain(phase) else { return [] }
        restarts += 1
        attempt += 1
        phase = again
        return [close]
    }

    mutating func deviceBack(at moment: ExamTime) -> [Command] {
        guard case .suspended(let suspension) = phase, case .device = suspension.cause else { return [] }
        if suspension.wasPaused {
            phase = .suspended(Suspension(cause: .candidate, since: suspension.since, was: suspension.was))
            return []
        }
        return resume(suspension, at: moment)
    }

    mutating func resume(_ suspension: Suspension, at moment: ExamTime) -> [Command] {
        suspended += moment - suspension.since
        phase = suspension.was
        switch phase {
        case .speaking(var speech):
            speech.began = moment - suspended
            phase = .speaking(speech)
            return [.play(speech.clip)]
        case .answering(let turn, var answer):
            answer.resumed(at: moment - suspended)
            phase = .answering(turn: turn, answer)
            return [.resumeTake(take(turn))]
        case .waiting, .gap, .preparing, .suspended, .processing, .over:
            return []  // Deadlines are on the candidate's clock, which stood still.
        }
    }

    /// Stops the candidate's clock while sound is missing: the gap is neither time used nor silence.
    mutating func lose(_ span: Duration, until moment: ExamTime) {
        switch phase {
        case .gap, .speaking, .preparing, .answering:
            let span = min(span, moment.sinceBegin - suspended)  // Time before the beginning does not count either.
            suspended += span
            soundLost += span
        case .waiting, .suspended, .processing, .over: break  // No time is running.
        }
    }
}
