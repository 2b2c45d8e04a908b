public import ExamCore

/// The actions of a recorded candidate in an exam, turn by turn. They replace the person of a live exam.
///
/// ```swift
/// let candidate = Candidate(
///     turns: [
///         "home-1": .says("home.flac"),
///         "home-2": Candidate.Turn(answer: [.wait(.seconds(1)), .act(.asked(.repeat)), .listen, .say("home.flac", gain: -6)]),
///         "home-3": Candidate.Turn(),  // Says nothing.
///     ],
///     otherwise: .says("answer.flac", after: .seconds(2)))
/// ```
public struct Candidate: Equatable, Sendable {
    /// A single action. Each step begins when the one before it has ended.
    public enum Step: Equatable, Sendable {
        /// Plays a sound file, amplified by `gain` dB. Everything above full scale is clipped.
        case say(String, gain: Float)
        /// Stays silent for a duration.
        case wait(Duration)
        /// Stays silent until the examiner has spoken again.
        case listen
        /// Does something else: presses a key, pulls a plug.
        case act(Exam.Event)
    }

    /// The candidate's steps in one turn. Steps that haven't begun when the turn ends are dropped. A recording that is
    /// still playing then breaks off when the next prompt begins.
    public struct Turn: Equatable, Sendable {
        /// From the moment the examiner begins to speak.
        public var prompt: [Step]
        /// During preparation.
        public var preparation: [Step]
        /// From the moment the examiner has finished speaking. If the examiner speaks again in between, the remaining
        /// steps follow afterwards.
        public var answer: [Step]

        public init(prompt: [Step] = [], preparation: [Step] = [], answer: [Step] = []) {
            self.prompt = prompt
            self.preparation = preparation
            self.answer = answer
        }

        /// Returns an answer that consists of one sound file.
        public static func says(_ file: String, after wait: Duration = .milliseconds(600)) -> Turn {
            Turn(answer: [.wait(wait), .say(file, gain: 0)])
        }
    }

    /// By the id of the question, or of the format's line that the candidate answers.
    public var turns: [String: Turn]
    /// The steps in turns that aren't listed; nil if every turn has to be listed.
    public var otherwise: Turn?

    /// - Parameter turns: By the id of the question, or of the format's line.
    public init(turns: [String: Turn], otherwise: Turn? = nil) {
        self.turns = turns
        self.otherwise = otherwise
    }
}
