/// Whether an answer is over: a small machine over what the detector says, and time.
///
/// An answer is over when its candidate has been silent for so long. What counts as silence is decided here: a sound from far
/// off or a breath never counts, and short, hardly voiced sounds (a squeak, a cough) put the end off by one silence at most,
/// however many they are. A noise that keeps coming back can therefore not hold an answer open for ever.
///
/// ```
///              began                ended(as: .speech or .doubtful)
///   silent ─────────────▶ speaking ───────────────────────────────▶ pausing ── silent for long enough ──▶ reason
///      ▲                  │ ▲   │                                    │   ▲
///      └─ ended(.distant) ┘ └───┼────────────── began ───────────────┘   │
///                               └─────────── ended(.distant) ────────────┘
/// ```
public struct EndOfAnswer: Equatable, Sendable {
    public enum Voice: Equatable, Sendable {
        /// Nothing was said since the examiner last spoke.
        case silent(since: ExamTime)
        case speaking(since: ExamTime)
        /// Something was said, and then this silence began.
        case pausing(since: ExamTime)
    }

    /// What a sound turned out to be when it was over.
    public enum Sound: String, Equatable, Sendable {
        case speech
        /// So short and so little voiced that it may be no speech.
        case doubtful
        /// Far quieter than the candidate: somebody or something else.
        case distant
        /// Not long, and without a vowel: a breath, a cough, a chair.
        case unvoiced
        /// It kept its level as no speech does: in logs of earlier detectors; sessions go on from them.
        case steady

        /// Whether it may have been the candidate.
        public var counts: Bool {
            switch self {
            case .speech, .doubtful: true
            case .distant, .unvoiced, .steady: false
            }
        }
    }

    /// Why an answer is taken to be over.
    public struct Reason: Hashable, Sendable {
        /// What the candidate was silent for.
        public var silence: Duration
        /// Whether the candidate's own pauses made the silence longer or shorter than the format's.
        public var isOwn: Bool
        /// Doubtful sounds came again and again, and were not waited for any longer.
        public var isPutOff: Bool
        /// How many sounds of the answer did not count.
        public var soundsNotCounted: Int
    }

    public private(set) var voice: Voice
    /// Time spoken so far, without the burst in progress.
    public private(set) var speech: Duration = .zero
    private var soundsNotCounted = 0
    /// What a sound in progress leaves if it does not count.
    private var before: Voice
    /// The end of the last sound that was surely speech, or of the first of this stretch of listening.
    public private(set) var sureUntil: ExamTime?
    /// When the examiner, or a pause of the exam, last left the candidate the word.
    private var listeningSince: ExamTime

    public init(at now: ExamTime) {
        voice = .silent(since: now)
        before = voice
        listeningSince = now
    }

    public mutating func began(at onset: ExamTime) {
        switch voice {
        case .silent(let since), .pausing(let since):
            before = voice
            voice = .speaking(since: max(onset, since))
        case .speaking: break  // Said twice is said once.
        }
    }

    /// - Returns: the candidate's own pause before this speech: how long the silence had become since the last sound that
    ///   counts. Nil where there was none.
    @discardableResult public mutating func ended(at offset: ExamTime, as sound: Sound) -> Duration? {
        guard case .speaking(let since) = voice else { return nil }  // Nobody was speaking.
        guard sound.counts else {
            soundsNotCounted += 1
            voice = before
            return nil
        }
        let offset = max(offset, since)
        speech += offset - since
        voice = .pausing(since: offset)
        guard sound == .speech else {
            if sureUntil == nil { sureUntil = offset }
            return nil
        }
        sureUntil = offset
        guard case .pausing(let pause) = before, pause > listeningSince else { return nil }
        return since - pause
    }

    /// - Parameters:
    ///   - now: until when nobody began to speak, as far as the detector is sure.
    ///   - silence: after how much silence an answer is over.
    ///   - isOwn: whether the candidate's pauses made it so.
    /// - Returns: why the answer is over now; nil while it is not.
    public func reason(at now: ExamTime, silence: Duration, isOwn: Bool = false) -> Reason? {
        guard case .pausing(let since) = voice else { return nil }
        // Doubtful sounds put the end off until two silences after the last speech. A sum, since this is asked fifty times a second and
        // the library multiplies durations by whatever is an integer, slowly.
        let latest = (sureUntil ?? since) + silence + silence
        guard now >= min(since + silence, latest) else { return nil }
        return Reason(
            silence: silence, isOwn: isOwn, isPutOff: now < since + silence, soundsNotCounted: soundsNotCounted)
    }

    /// The examiner, or a pause of the exam, leaves the candidate the word again.
    mutating func resume(_ voice: Voice, at now: ExamTime) {
        listeningSince = now
        self.voice = voice
        before = voice
        sureUntil = nil
    }
}
