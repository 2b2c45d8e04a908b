/// The rules of one kind of speaking test, as a file states them: parts, clocks, examiner's lines, ladders, policies.
///
/// A format holds no code and no questions: the questions are in a `Paper`. A new test is therefore a new file. Lengths
/// are in seconds. An absent field switches its feature off. `ExamScript` joins a format and a paper, and reports the
/// errors in either.
public struct ExamFormat: Codable, Equatable, Sendable {
    /// The version of the file's layout. A reader refuses any other version.
    public static let layoutVersion = 1

    public var version: Int
    /// Letters, digits, `-`, `.` and `_` only, because logs and file names contain it.
    public var id: String
    public var title: String
    /// The exam ends at this time in any case. Pauses do not count.
    public var hardCap: Seconds
    /// The last answer ends this long before `hardCap`, so that the closing words still fit.
    public var closingReserve: Seconds
    /// The times left before a limit at which the candidate gets a warning, longest first.
    public var warnings: [Seconds]
    public var gaps: Gaps
    /// Whether a lost connection ends an answer and makes the exam ask for it again. If absent, up to a minute of what
    /// the candidate says while disconnected is kept and counts. Has no effect with a local microphone.
    public var lostLineEndsAnswer: Bool?
    /// The examiner's words that do not belong to a question, by name.
    public var lines: [String: Line]
    /// The rules for listening to answers, by name.
    public var rules: [String: Rule]
    public var parts: [Part]
    /// The language of the test as a language tag, such as `zh`. English if absent. The format's lines and its papers
    /// are in this language, and the examiner's voice and screen readers use it.
    public var language: String?
    /// The scale of the marks for this test.
    public var scoring: Scoring?

    /// The silences that the examiner leaves.
    public struct Gaps: Codable, Equatable, Sendable {
        /// Between two clips of one prompt.
        public var clips: Seconds
        /// Between the end of an answer and the next prompt.
        public var turns: Seconds
        /// Before the first prompt of a part.
        public var parts: Seconds
    }

    /// Words of the examiner and, optionally, a recording: a path relative to the format file's folder.
    public struct Line: Codable, Equatable, Sendable {
        public var text: String
        public var audio: String?
    }

    public struct Part: Codable, Equatable, Sendable {
        /// A number from 1 to 9, unique in the format. Takes are named after it: `part2_q1`.
        public var number: Int
        public var title: String
        public var clock: PartClock?
        /// Time to prepare all of the part's questions together before the first one is answered. The questions are
        /// shown meanwhile, and have no preparation of their own.
        public var preparation: Preparation?
        public var items: [Item]
    }

    /// A part's clock, measured from its first prompt.
    public struct PartClock: Codable, Equatable, Sendable {
        /// No question begins after this time. The part's frames share the time until then equally.
        public var from: Seconds
        /// When the shared time begins. The time before it belongs to the introduction. 0 if absent.
        public var sharedFrom: Seconds?
        /// The answer in progress is interrupted at this time at the latest.
        public var to: Seconds
    }

    /// One step of a part: exactly one of `say` (lines), `ask` (a line that is answered) or `section` (the paper's
    /// frames).
    public struct Item: Codable, Equatable, Sendable {
        public var say: [String]?
        public var ask: String?
        public var section: String?
        /// The number of the section's frames to use. All if absent.
        public var frames: Int?
        /// The lines said before the item's first question.
        public var opening: [String]?
        /// The lines said before each of the item's questions: "Please read this aloud."
        public var before: [String]?
        /// The rules for the questions, in order. The last rule also applies to all further questions.
        public var rules: [String]?
        public var preparation: Preparation?
        /// Whether the candidate hears the questions but never sees them, for example sentences to repeat.
        public var textHidden: Bool?
        /// Whether the candidate reads the questions aloud. They are shown after the lines in `before`, and the
        /// examiner does not say them.
        public var readAloud: Bool?
        /// Whether the answer only helps the candidate get used to the test: it is recorded but does not count.
        public var practice: Bool?
        /// The purpose of its questions. If absent, a paper's question states its own purpose, and the id of a line
        /// implies it (`QuestionPurpose.unstated`). An introduction in the paper stays one in any case.
        public var purpose: QuestionPurpose?
        /// The two alternatives that a candidate chooses between, if a line is asked (`ask`).
        public var alternatives: [Paper.Alternative]?
        /// The condition under which the item is used: the alternative chosen in an earlier line. One item may be for
        /// candidates who work, another for those who study.
        public var when: Condition?
        /// The points for repeating or reading aloud the question's words, by the share of them that come in order. The
        /// first row gives the most points. Absent if the candidate answers in words of their own.
        public var wordSequence: [WordPoints]?
    }

    /// An alternative chosen in an earlier item with `ask`.
    public struct Condition: Codable, Equatable, Sendable {
        /// The name of the line that asked.
        public var line: String
        /// 1 or 2. A candidate who chose nothing took the first.
        public var chose: Int
    }

    /// The scale for a test's marks, and the criteria in the examiners' words.
    public struct Scoring: Codable, Equatable, Sendable {
        /// "Level", "Band" …
        public var name: String
        public var lowest: Double
        public var highest: Double
        /// Every mark is `lowest` plus a whole number of these steps.
        public var step: Double
        public var criteria: [String]
    }

    /// The points for saying this share of a sentence's words, in practice.
    public struct WordPoints: Codable, Equatable, Sendable {
        /// The smallest share of the sentence's words that earns these points, 0 to 1.
        public var atLeast: Double
        public var points: Double
        /// Whether the candidate must have said nothing else.
        public var exactly: Bool?

        public init(atLeast: Double, points: Double, exactly: Bool? = nil) {
            self.atLeast = atLeast
            self.points = points
            self.exactly = exactly
        }
    }

    /// Time to prepare before the answer.
    public struct Preparation: Codable, Equatable, Sendable {
        public var length: Seconds
        /// The time from which the candidate may begin early, in practice only. Never if absent.
        public var skippableAfter: Seconds?
        /// Whether the candidate may write notes. They are locked when the answer begins.
        public var notes: Bool
        /// The line that tells the candidate to begin.
        public var start: String?
    }

    /// The rules for listening to one answer and for deciding when it is over.
    public struct Rule: Codable, Equatable, Sendable {
        /// The length of silence after speech that ends the answer. If absent, silence never ends it.
        public var silence: Seconds?
        /// The range in which `silence` adapts to the candidate's own pauses. If absent, it does not adapt.
        public var patience: SilenceRange?
        /// The time on the answer's clock before which silence does not end it.
        public var minimum: Seconds?
        /// The time on the answer's clock at which it ends.
        public var maximum: Seconds?
        /// When the answer's clock starts. `opening` if absent.
        public var clock: ClockStart?
        /// The time from which the candidate may declare the answer complete. Never if absent.
        public var finishableAfter: Seconds?
        /// The way the examiner stops the candidate at a limit. If absent, the answer is closed without a word.
        public var interruption: Interruption?
        /// The silence ladder: the steps to take while the candidate says nothing.
        public var whenSilent: [Step]?
        /// The steps to take in a pause that may not end the answer yet.
        public var whenPausing: [Step]?
        public var repeats: Repeats?
        /// Whether a short tone announces the answer.
        public var beep: Bool?
        /// The number of times the candidate may give the answer, 1 to 9. Only the latest one counts. 1 if absent.
        public var attempts: Int?
        /// The examiner asks a question's "Why?" once if the candidate said less than this.
        public var followUpUnder: Seconds?
    }

    /// The shortest and longest silence that may end an answer.
    public struct SilenceRange: Codable, Equatable, Sendable {
        /// The shortest silence. If absent, it is the rule's `silence`, so that the candidate's pauses can only
        /// lengthen it. Less would cut off a fluent candidate who stops once to think.
        public var floor: Seconds?
        public var ceiling: Seconds
    }

    public enum ClockStart: String, Choice {
        /// When the examiner stops speaking.
        case opening
        /// At the candidate's first word.
        case firstWord
    }

    public struct Interruption: Codable, Equatable, Sendable {
        /// The time before a limit at which the examiner begins to wait for the end of a sentence.
        public var aim: Seconds
        /// The length of a pause that counts as the end of a sentence.
        public var pause: Seconds
        /// The words that stop the candidate.
        public var say: String
    }

    /// One step of a silence ladder.
    public struct Step: Codable, Equatable, Sendable {
        /// The length of silence since the last step, or since listening began.
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

    /// The rules for a request to hear the question again. If the frame has a passage, the passage is played again.
    /// With a limit of n, the candidate hears it at most n + 1 times.
    public struct Repeats: Codable, Equatable, Sendable {
        public var limit: Int
        public var wording: Wording
        /// The line said when the limit is reached. If absent, the examiner says nothing.
        public var refusal: String?

        public enum Wording: String, Choice {
            /// The exact words of the question, as in Part 1.
            case same
            /// The paper's rephrasings first, then the question itself, as in Part 3.
            case rephrased
        }
    }
}
