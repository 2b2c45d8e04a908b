public import ExamCore

/// What a recorded candidate does in an exam, turn by turn; the part a person plays in a live one.
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
    /// One thing after the other.
    public enum Step: Equatable, Sendable {
        /// Plays a sound file, louder by so many decibels; what exceeds full scale is clipped.
        case say(String, gain: Float)
        /// Is silent for so long.
        case wait(Duration)
        /// Is silent until the examiner has spoken again.
        case listen
        /// Presses a key, pulls a plug.
        case act(Exam.Event)
    }

    /// What the candidate does in one turn. Steps that are not reached before the turn is over are dropped, and a recording
    /// that is not over then is broken off where the next prompt begins.
    public struct Turn: Equatable, Sendable {
        /// From the moment the examiner begins to speak.
        public var prompt: [Step]
        /// During preparation.
        public var preparation: [Step]
        /// From the moment the examiner has spoken; the steps go on where they were when the examiner speaks in between.
        public var answer: [Step]

        public init(prompt: [Step] = [], preparation: [Step] = [], answer: [Step] = []) {
            self.prompt = prompt
            self.preparation = preparation
            self.answer = answer
        }

        /// An answer that is one sound file.
        public static func says(_ file: String, after wait: Duration = .milliseconds(600)) -> Turn {
            Turn(answer: [.wait(wait), .say(file, gain: 0)])
        }
    }

    /// By the id of the question, or of the format's line that is answered.
    public var turns: [String: Turn]
    /// What is done in turns that are not listed; nil: there are none.
    public var otherwise: Turn?

    /// - Parameter turns: by the id of the question, or of the format's line.
    public init(turns: [String: Turn], otherwise: Turn? = nil) {
        self.turns = turns
        self.otherwise = otherwise
    }
}
