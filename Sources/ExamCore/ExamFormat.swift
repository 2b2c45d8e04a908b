/// The rules of one kind of speaking test, as a file states them: parts, clocks, examiner's lines, ladders, policies.
///
/// A format holds no questions (a `Paper` does) and no code: a new test is a new file. Lengths are seconds. What is absent
/// is off; nothing is filled in. `ExamScript` joins a format and a paper, and says what is wrong with either.
public struct ExamFormat: Codable, Equatable, Sendable {
    /// The version of this file's own layout; a reader refuses any other.
    public static let layoutVersion = 1

    public var version: Int
    /// Letters, digits, `-`, `.` and `_` only: it stands in logs and file names.
    public var id: String
    public var title: String
    /// The exam is over at this time, whatever happens; pauses do not count.
    public var hardCap: Seconds
    /// The last answer ends this long before `hardCap`, so that the closing words still fit.
    public var closingReserve: Seconds
    /// The candidate is told when this much time is left before a limit, longest first (A9).
    public var warnings: [Seconds]
    public var gaps: Gaps
    /// Whether an answer ends with the line over which a browser sends it, and is asked for again. Where this is absent, up to a minute
    /// of what is said over a lost line is kept and counts. A microphone of this machine has no line.
    public var lostLineEndsAnswer: Bool?
    /// Everything the examiner says that belongs to no question, by name.
    public var lines: [String: Line]
    /// How an answer is listened to, by name.
    public var rules: [String: Rule]
    public var parts: [Part]
    /// What is spoken and read in it, as a language tag: `zh`. English where absent. Lines and papers are in it; the examiner's voice and
    /// screen readers are told.
    public var language: String?
    /// What the marks of such a test are on.
    public var scoring: Scoring?

    /// Silences that the examiner leaves.
    public struct Gaps: Codable, Equatable, Sendable {
        /// Between two clips of one prompt.
        public var clips: Seconds
        /// Between the end of an answer and the next prompt.
        public var turns: Seconds
        /// Before the first prompt of a part.
        public var parts: Seconds
    }

    /// Words of the examiner, with a recording where there is one: a path from the format file's folder.
    public struct Line: Codable, Equatable, Sendable {
        public var text: String
        public var audio: String?
    }

    public struct Part: Codable, Equatable, Sendable {
        /// 1 to 9; unique. It names the takes: `part2_q1`.
        public var number: Int
        public var title: String
        public var clock: PartClock?
        /// Time to think about all of the part's questions together, before the first of them is answered: they are shown meanwhile, and
        /// have no preparation of their own.
        public var preparation: Preparation?
        public var items: [Item]
    }

    /// A part's clock, counted from its first prompt.
    public struct PartClock: Codable, Equatable, Sendable {
        /// No further question begins after this. The part's frames share the time until then in equal pieces.
        public var from: Seconds
        /// Where the frames' sharing begins: what comes before is the introduction's. 0 where absent.
        public var sharedFrom: Seconds?
        /// The answer in progress is interrupted no later than this.
        public var to: Seconds
    }

    /// One thing of a part: exactly one of `say` (lines), `ask` (a line that is answered) or `section` (the paper's frames).
    public struct Item: Codable, Equatable, Sendable {
        public var say: [String]?
        public var ask: String?
        public var section: String?
        /// How many of the section's frames are used; all where absent.
        public var frames: Int?
        /// Lines said before the item's first question.
        public var opening: [String]?
        /// Lines said before each of its questions: "Please read this aloud."
        public var before: [String]?
        /// The rule of each question, in order; the last one serves for all further questions.
        public var rules: [String]?
        public var preparation: Preparation?
        /// The candidate only hears the questions and never sees them: sentences to be repeated, say.
        public var textHidden: Bool?
        /// The candidate reads the questions aloud: they are shown from the end of the lines `before` on, and nobody says them.
        public var readAloud: Bool?
        /// To get used to the test: the answer is recorded, and counts for nothing.
        public var practice: Bool?
        /// The two things that a candidate chooses between, where a line is asked (`ask`).
        public var alternatives: [Paper.Alternative]?
        /// Only where a line's two alternatives were decided this way: one item for those who work, another for those who study.
        public var when: Condition?
        /// The questions' words are to be said again, or read aloud: points by how many of them come in their order, the most first; absent
        /// where the candidate speaks in words of their own.
        public var wordSequence: [WordPoints]?
    }

    /// What was chosen before, where the candidate was asked (`ask`) between two alternatives.
    public struct Condition: Codable, Equatable, Sendable {
        /// The line that asked.
        public var line: String
        /// 1 or 2; who chose nothing took the first.
        public var chose: Int
    }

    /// The scale that a test's marks are on, and what is judged, in the words of those who mark.
    public struct Scoring: Codable, Equatable, Sendable {
        /// "Level", "Band" …
        public var name: String
        public var lowest: Double
        public var highest: Double
        /// Marks are whole numbers of these above `lowest`.
        public var step: Double
        public var criteria: [String]
    }

    /// What saying a sentence's words is worth, in practice.
    public struct WordPoints: Codable, Equatable, Sendable {
        /// From this share of the sentence's words on, 0 … 1.
        public var atLeast: Double
        public var points: Double
        /// Only where nothing else was said.
        public var exactly: Bool?

        public init(atLeast: Double, points: Double, exactly: Bool? = nil) {
            self.atLeast = atLeast
            self.points = points
            self.exactly = exactly
        }
    }

    /// Time to think before the answer.
    public struct Preparation: Codable, Equatable, Sendable {
        public var length: Seconds
        /// From here on the candidate may begin early, in practice only; never where absent.
        public var skippableAfter: Seconds?
        /// Whether the candidate may write notes; they are locked once the answer begins.
        public var notes: Bool
        /// The line that tells the candidate to begin.
        public var start: String?
    }

    /// How one answer is listened to and when it is over.
    public struct Rule: Codable, Equatable, Sendable {
        /// This much silence after speech ends the answer; where absent, silence never does.
        public var silence: Seconds?
        /// The limits within which `silence` adapts to the candidate's own pauses; absent: it stays as it is.
        public var patience: SilenceRange?
        /// Silence does not end the answer before this, on the answer's clock.
        public var minimum: Seconds?
        /// The answer ends at this, on the answer's clock.
        public var maximum: Seconds?
        /// When the answer's clock starts; `opening` where absent.
        public var clock: ClockStart?
        /// The candidate may declare the answer over from here on; never where absent.
        public var finishableAfter: Seconds?
        /// How the examiner stops a candidate at a limit; where absent the window closes without a word.
        public var interruption: Interruption?
        /// What happens while nothing has been said: the silence ladder.
        public var whenSilent: [Step]?
        /// What happens in a pause that may not end the answer yet.
        public var whenPausing: [Step]?
        public var repeats: Repeats?
        /// Whether a short tone says that the answer begins.
        public var beep: Bool?
        /// How often the candidate may give the answer, 1 … 9: until the last one it may be begun again, and only the latest counts. Once where
        /// absent.
        public var attempts: Int?
        /// After less speech than this, a question's "Why?" is asked once.
        public var followUpUnder: Seconds?
    }

    /// The shortest and the longest silence that may end an answer.
    public struct SilenceRange: Codable, Equatable, Sendable {
        /// The shortest; absent: the rule's `silence`, so that the candidate's pauses can only make it longer. A fluent candidate who stops
        /// once to think is cut off by less.
        public var floor: Seconds?
        public var ceiling: Seconds
    }

    public enum ClockStart: String, Choice {
        /// When the examiner stops speaking.
        case opening
        /// With the candidate's first word.
        case firstWord
    }

    public struct Interruption: Codable, Equatable, Sendable {
        /// This long before a limit the examiner begins to wait for the end of a sentence.
        public var aim: Seconds
        /// A pause of this length is taken for the end of a sentence.
        public var pause: Seconds
        /// The words that stop the candidate.
        public var say: String
    }

    /// One rung of a silence ladder.
    public struct Step: Codable, Equatable, Sendable {
        /// This much silence since the last rung (or since listening began).
        public var after: Seconds
        public var `do`: Action
        /// The line of a `prompt`.
        public var say: String?

        public enum Action: String, Choice {
            /// Say the line and listen again.
            case prompt
            /// Ask the question again in the same words.
            case `repeat`
            /// Give up on this answer.
            case moveOn
        }
    }

    /// What a candidate gets who asks to hear the question again: of a frame with a passage, the passage. Whatever is heard once and may be
    /// asked for n times is played n + 1 times at most.
    public struct Repeats: Codable, Equatable, Sendable {
        public var limit: Int
        public var wording: Wording
        /// The line said when the limit is reached; silence where absent.
        public var refusal: String?

        public enum Wording: String, Choice {
            /// The very words of the question (Part 1: exam fact 9).
            case same
            /// The paper's rephrasings, then the question itself (Part 3).
            case rephrased
        }
    }
}
