import AudioFiles
public import ExamCore
public import VoiceActivity

/// Where answers end in a stream of sound, one after another: as soon as one has ended, the next is awaited.
///
/// It is told what the detector decided once it has decided it, and asks itself every 20 ms, as a session asks its exam. An end is
/// therefore declared no earlier than an exam could declare it, though changes are dated back. What was learned of the
/// speaker's pauses outlives an answer.
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
        /// When it was declared.
        public let at: ExamTime
        /// When the speech before it was over; where doubtful sounds were not waited for any longer, the last that was no such
        /// sound, or the first of them where there was nothing else.
        public let silentSince: ExamTime
        /// Why the answer was taken to be over.
        public let reason: EndOfAnswer.Reason
    }

    /// A sound that was not plainly speech, on the clock of the sound.
    public struct Sound: Equatable, Sendable {
        /// When it began and ended.
        public let began: ExamTime
        /// Its end: the last moment with sound in it.
        public let ended: ExamTime
        /// `distant` and `unvoiced` did not count; `doubtful` did, but puts an end off by one silence at most.
        public let kind: EndOfAnswer.Sound
    }

    /// In order.
    public private(set) var ends: [End] = []
    /// All that was not plainly speech, in order, each when it was over.
    public private(set) var sounds: [Sound] = []

    private let silence: Duration
    /// What `silence` may become by the speaker's own pauses; nil: it stays as it is.
    public let range: ExamScript.SilenceRange?
    private var answer = EndOfAnswer(at: .zero)
    private var endpointing = AdaptiveEndpointing()
    /// Samples heard so far.
    private var sampleCount = 0
    /// Where the sound in progress began.
    private var began: ExamTime?

    /// How often it is asked whether an answer is over, in samples.
    private static let step = AudioFormat.blockSize

    /// - Parameters:
    ///   - silence: after how much silence an answer is over, while nothing is known of the speaker's pauses.
    ///   - range: the shortest and the longest that the speaker's own pauses may make of it; nil: it stays as it is.
    public init(silence: Duration, range: ExamScript.SilenceRange? = nil) {
        self.silence = silence
        self.range = range
    }

    /// Takes in what the detector decided while it heard the sound up to a sample.
    ///
    /// - Parameters:
    ///   - changes: in the order in which they were decided. They count as decided at `end`: hand over 20 ms at a time, or less.
    ///   - end: samples of 16 kHz since the beginning; never fewer than before.
    ///   - unsure: where a voice may have begun that is not decided about yet (`VoiceDetector.mayHaveBegun`).
    public mutating func hear(_ changes: some Sequence<VoiceChange>, until end: Int, unsureSince unsure: Int? = nil) {
        precondition(end >= sampleCount, "sound goes on, it does not go back")
        // An exam is asked after it was told what its detector made of a block.
        var next = (sampleCount / Self.step + 1) * Self.step
        while next < end {
            ask(at: ExamTime(sampleCount: next))
            next += Self.step
        }
        for change in changes { take(in: change) }
        if next == end { ask(at: ExamTime(sampleCount: end), quietUntil: ExamTime(sampleCount: unsure ?? end)) }
        sampleCount = end
    }

    /// The sound ends here: a silence that was long enough in the last samples of it counts too.
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
