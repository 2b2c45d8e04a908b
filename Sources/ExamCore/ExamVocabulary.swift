// What may happen in an exam, and what is to be done about it: the words in which rooms, logs and sessions speak with it.

extension Exam {
    public enum Outcome: String, CaseIterable, Codable, Equatable, Sendable {
        case completed
        case withdrawn
        /// The hard cap was reached.
        case outOfTime
    }

    /// A recording of one answer. A second attempt follows where a device failed during the first.
    public struct Take: Hashable, Sendable {
        public var turn: Int
        public var attempt: Int
    }

    public enum Event: Equatable, Sendable {
        case begin
        /// The clip with this id was played to its end.
        case promptEnded(Clip.ID)
        /// The clip could not be played or broke off; the exam goes on as if it had been heard (A16).
        case promptFailed(Clip.ID)
        /// Speech began at this moment, which may lie some hundredths of a second back: by the samples that were heard since.
        case voiceBegan(ExamTime)
        /// What began was over at this moment, which may lie some tenths of a second back, and turned out to be this.
        case voiceEnded(ExamTime, as: EndOfAnswer.Sound = .speech)
        case timePassed
        /// Time passed, and a voice may have begun at this moment: the detector has not decided yet.
        case timePassedUnsure(since: ExamTime)
        /// The candidate asks for something, which is granted where it is allowed.
        case asked(Wish)
        case deviceLost(Trouble)
        case deviceBack
        /// The microphone missed so much, until this moment, and delivers again. Nothing else is dated in between.
        case soundLost(Duration)
        /// From now on the candidate sees at once what the exam does, or only some time later: `noticed` says when.
        case screen(Screen)
        /// The candidate's screen shows all that was done until now.
        case noticed
        /// What is heard was spoken so long ago that the exam is to wait, between two questions, until the line has caught up.
        case fellBehind
        case caughtUp
        /// Every take of the exam is stored.
        case takesStored
    }

    /// Where the candidate's screen is.
    public enum Screen: String, CaseIterable, Equatable, Sendable {
        /// In the room: what the exam does is seen at once.
        case near
        /// At the end of a line: until something was noticed the candidate may go on speaking to what was asked before.
        case far
    }

    public enum Command: Equatable, Sendable {
        case play(Clip)
        case stopPlaying
        /// Begin to record, from now on and with a fresh detector.
        case openTake(Take)
        /// Record nothing for a while: the examiner speaks.
        case holdTake(Take)
        /// Go on recording the same take, with a fresh detector.
        case resumeTake(Take)
        case closeTake(Take, AnswerEnd)
        /// Of a turn's alternatives this one is chosen, 0 or 1; the first where the candidate chose none in time.
        case choose(turn: Int, Int)
        /// The turn is over for the exam; what is said until the candidate has noticed belongs to the take, which is held or closed then.
        case runOn(Take)
        /// Show that so much time is left.
        case warn(Duration)
        /// Show that this is allowed from now on: time alone has made it so.
        case offer(Wish)
    }
}

extension Exam.Command {
    /// It says what is recorded from now on: nothing else may be recorded any more.
    var opensTake: Bool {
        switch self {
        case .openTake, .resumeTake, .closeTake: true
        case .holdTake, .runOn, .play, .stopPlaying, .warn, .offer, .choose: false
        }
    }
}
