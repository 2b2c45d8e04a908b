import AudioFiles
public import ExamCore
public import VoiceActivity

/// Finds the ends of answers in a stream of sound. As soon as one answer has ended, it waits for the next.
///
/// The caller passes on each decision of the detector as soon as it is made. This type checks the exam's rules every 20
/// ms, as a session does. The detector dates its decisions back, but an end is never declared earlier than an exam
/// could declare it. The pauses learned from the speaker carry over to the next answer.
///
/// ```swift
/// let reader = try BlockReader(path: "answers.flac")
/// var detector = VoiceDetector()
/// detector.listen()
/// var ends = EndsOfAnswers(silence: .milliseconds(1_500))
/// while let block = try reader.next() {
///     var changes: [VoiceChange] = []
///     block.samples.withUnsafeBufferPointer { detector.hear($0) { changes.append($0) } }
///     ends.hear(changes, until: reader.sampleCount, unsureSince: detector.mayHaveBegun)
/// }
/// ends.finish()
/// ```
public struct EndsOfAnswers: Sendable {
    /// The end of an answer, on the clock of the sound.
    public struct End: Equatable, Sendable {
        /// The moment at which it was declared.
        public let at: ExamTime
        /// The end of the speech before the silence. If the wait for doubtful sounds was cut short, this is the end of
        /// the last sound that wasn't doubtful, or of the first doubtful sound if all were doubtful.
        public let silentSince: ExamTime
        /// The reason why the answer counts as over.
        public let reason: EndOfAnswer.Reason
    }

    /// A sound that was not clearly speech, on the clock of the sound.
    public struct Sound: Equatable, Sendable {
        /// The moment at which it began.
        public let began: ExamTime
        /// The last moment with sound in it.
        public let ended: ExamTime
        /// `distant` and `unvoiced` sounds don't count. `doubtful` ones do, but delay an end by one silence at most.
        public let kind: EndOfAnswer.Sound
    }

    /// The ends found so far, in order.
    public private(set) var ends: [End] = []
    /// All sounds that were not clearly speech, in the order in which they ended.
    public private(set) var sounds: [Sound] = []

    private let silence: Duration
    /// The limits within which the speaker's own pauses may change `silence`; nil if it stays as it is.
    public let range: ExamScript.SilenceRange?
    private var answer = EndOfAnswer(at: .zero)
    private var endpointing = AdaptiveEndpointing()
    /// Samples heard so far.
    private var sampleCount = 0
    /// The beginning of the sound in progress.
    private var began: ExamTime?

    /// The interval between two checks for the end of an answer, in samples.
    private static let step = AudioFormat.blockSize

    /// - Parameters:
    ///   - silence: The silence that ends an answer while the speaker's pauses are unknown.
    ///   - range: The shortest and the longest silence that the speaker's own pauses may set; nil to keep `silence`.
    public init(silence: Duration, range: ExamScript.SilenceRange? = nil) {
        self.silence = silence
        self.range = range
    }

    /// Takes in the detector's decisions on the sound up to a sample.
    ///
    /// - Parameters:
    ///   - changes: The decisions in the order in which they were made. All of them count as made at `end`, so hand
    ///     over at most 20 ms at a time.
    ///   - end: The number of samples at 16 kHz since the beginning. Never fewer than before.
    ///   - unsure: The sample at which a voice may have begun, if that is undecided (`VoiceDetector.mayHaveBegun`).
    public mutating func hear(_ changes: some Sequence<VoiceChange>, until end: Int, unsureSince unsure: Int? = nil) {
        precondition(end >= sampleCount, "sound goes on, it does not go back")
        // A session asks its exam after it has passed on the detector's decisions on a block.
        var next = (sampleCount / Self.step + 1) * Self.step
        while next < end {
            ask(at: ExamTime(sampleCount: next))
            next += Self.step
        }
        for change in changes { take(in: change) }
        if next == end { ask(at: ExamTime(sampleCount: end), quietUntil: ExamTime(sampleCount: unsure ?? end)) }
        sampleCount = end
    }

    /// Marks the end of the sound. A silence that became long enough in its last samples counts too.
    public mutating func finish() {
        ask(at: ExamTime(sampleCount: sampleCount))
    }

    private mutating func take(in change: VoiceChange) {
        switch change {
        case .began(let sample):
            began = ExamTime(sampleCount: sample)
            answer.began(at: ExamTime(sampleCount: sample))
        case .ended(let sample, let kind):
            let (ended, kind) = (ExamTime(sampleCount: sample), EndOfAnswer.Sound(kind))
            if let pause = answer.ended(at: ended, as: kind) { endpointing.learn(pause) }
            if let began, kind != .speech { sounds.append(Sound(began: began, ended: ended, kind: kind)) }
            began = nil
        }
    }

    private mutating func ask(at now: ExamTime, quietUntil: ExamTime? = nil) {
        let silence = endpointing.silence(silence, range, speech: answer.speech)
        guard case .pausing(let since) = answer.voice,
            let reason = answer.reason(at: quietUntil ?? now, silence: silence.length, isOwn: silence.isOwn)
        else { return }
        let silentSince = reason.isPutOff ? answer.sureUntil ?? since : since
        ends.append(End(at: now, silentSince: silentSince, reason: reason))
        answer = EndOfAnswer(at: now)
    }
}
