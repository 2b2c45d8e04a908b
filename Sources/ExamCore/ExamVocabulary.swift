// Events, commands and related types: the words that rooms, logs and sessions share with the exam.

extension Exam {
    public enum Outcome: String, CaseIterable, Codable, Equatable, Sendable {
        case completed
        case withdrawn
        /// The hard cap was reached.
        case outOfTime
    }

    /// A recording of one answer. If a device fails during it, a second attempt follows.
    public struct Take: Hashable, Sendable {
        public var turn: Int
        public var attempt: Int
    }

    public enum Event: Equatable, Sendable {
        case begin
        /// The clip with this id was played to its end.
        case promptEnded(Clip.ID)
        /// The clip could not be played, or broke off. The exam continues as if the candidate had heard it.
        case promptFailed(Clip.ID)
        /// Speech began at this moment. It may lie some hundredths of a second back, counted in samples.
        case voiceBegan(ExamTime)
        /// A sound ended at this moment, which may lie some tenths of a second back, and turned out to be of this kind.
        case voiceEnded(ExamTime, as: EndOfAnswer.Sound = .speech)
        case timePassed
        /// Time passed, and a voice may have begun at this moment. The detector has not decided yet.
        case timePassedUnsure(since: ExamTime)
        /// The candidate asks for something. The exam grants it if it is allowed.
        case asked(Wish)
        case deviceLost(Trouble)
        case deviceBack
        /// The microphone missed this much sound until now and delivers again. No other event is dated within the gap.
        case soundLost(Duration)
        /// The place of the candidate's screen. A near screen shows at once what the exam does. On a far one, the
        /// candidate sees it later, and `noticed` says when.
        case screen(Screen)
        /// The candidate's screen shows everything that happened until now.
        case noticed
        /// The candidate's sound arrives so late that the exam must wait for it before the next prompt.
        case fellBehind
        case caughtUp
        /// Every take of the exam is stored.
        case takesStored
    }

    /// The place of the candidate's screen.
    public enum Screen: String, CaseIterable, Equatable, Sendable {
        /// In the room: the candidate sees at once what the exam does.
        case near
        /// At the other end of a line. The candidate may keep answering until the screen shows that the turn is over.
        case far
    }

    public enum Command: Equatable, Sendable {
        case play(Clip)
        case stopPlaying
        /// Starts recording now, with a fresh detector.
        case openTake(Take)
        /// Stops recording for a while because the examiner speaks.
        case holdTake(Take)
        /// Continues recording the same take, with a fresh detector.
        case resumeTake(Take)
        case closeTake(Take, AnswerEnd)
        /// Records which of a turn's alternatives is chosen, 0 or 1. If the candidate chose none in time, it is the
        /// first.
        case choose(turn: Int, Int)
        /// Keeps a take recording although the turn is over for the exam. What the candidate says before noticing
        /// belongs to this take, which is held or closed after that.
        case runOn(Take)
        /// Shows that this much time is left.
        case warn(Duration)
        /// Shows that a wish is allowed from now on because enough time has passed.
        case offer(Wish)
    }
}

extension Exam.Command {
    /// Whether the command opens, resumes or closes a take. An earlier take that runs on must end first.
    var opensTake: Bool {
        switch self {
        case .openTake, .resumeTake, .closeTake: true
        case .holdTake, .runOn, .play, .stopPlaying, .warn, .offer, .choose: false
        }
    }
}
