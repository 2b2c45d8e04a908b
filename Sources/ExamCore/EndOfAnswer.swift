/// A small state machine that decides from the detector's events and the time whether an answer is over.
///
/// An answer is over when the candidate has been silent for long enough. This type decides what counts as silence. A
/// distant sound or a breath never interrupts a silence. Short, barely voiced sounds such as a squeak or a cough delay
/// the end by at most one silence in total, so a recurring noise cannot keep an answer open forever.
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
        /// The candidate has said nothing since the examiner last spoke.
        case silent(since: ExamTime)
        case speaking(since: ExamTime)
        /// The candidate said something, and this silence followed.
        case pausing(since: ExamTime)
    }

    /// The kind of a sound, known when it is over.
    public enum Sound: String, Equatable, Sendable {
        case speech
        /// So short and so little voiced that it may not be speech.
        case doubtful
        /// Far quieter than the candidate: another person or a noise.
        case distant
        /// Short and without a vowel: a breath, a cough, a chair.
        case unvoiced
        /// A level that stays constant, as speech never does. Only logs of earlier detectors contain it, and sessions
        /// are resumed from those logs.
        case steady

        /// Whether the sound may have come from the candidate.
        public var counts: Bool {
            switch self {
            case .speech, .doubtful: true
            case .distant, .unvoiced, .steady: false
            }
        }
    }

    /// The reason why an answer is taken to be over.
    public struct Reason: Hashable, Sendable {
        /// The length of silence that ended the answer.
        public var silence: Duration
        /// Whether the candidate's own pauses made the silence longer or shorter than the format's.
        public var isOwn: Bool
        /// Whether doubtful sounds kept coming, and the answer ended without waiting for them any longer.
        public var isPutOff: Bool
        /// The number of sounds in the answer that did not count.
        public var soundsNotCounted: Int
    }

    public private(set) var voice: Voice
    /// The time spoken so far, not counting the burst in progress.
    public private(set) var speech: Duration = .zero
    private var soundsNotCounted = 0
    /// The state to restore if the sound in progress does not count.
    private var before: Voice
    /// The end of the last sound that was clearly speech. Until there is one, the end of the first doubtful sound. Nil
    /// whenever listening starts again.
    public private(set) var sureUntil: ExamTime?
    /// When listening last started: after the examiner's words, or after a pause of the exam.
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
        case .speaking: break  // The detector repeated itself.
        }
    }

    /// Records the end of a sound.
    ///
    /// - Returns: the candidate's pause before this speech, from the end of the last sound that counts. Nil if the
    ///   sound is not clearly speech, or is the first since listening started.
    @discardableResult public mutating func ended(at offset: ExamTime, as sound: Sound) -> Duration? {
        guard case .speaking(let since) = voice else { return nil }  // No sound was in progress.
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

    /// Returns the reason why the answer is over now, or nil if it is not.
    ///
    /// - Parameters:
    ///   - now: the moment up to which the detector is sure that no voice began.
    ///   - silence: the length of silence that ends an answer.
    ///   - isOwn: whether the silence was learned from the candidate's own pauses.
    public func reason(at now: ExamTime, silence: Duration, isOwn: Bool = false) -> Reason? {
        guard case .pausing(let since) = voice else { return nil }
        // Doubtful sounds delay the end until at most two silences after the last speech. This adds rather than
        // multiplies because it runs fifty times a second, and the standard library's multiplication of a duration by
        // an integer is slow.
        let latest = (sureUntil ?? since) + silence + silence
        guard now >= min(since + silence, latest) else { return nil }
        return Reason(
            silence: silence, isOwn: isOwn, isPutOff: now < since + silence, soundsNotCounted: soundsNotCounted)
    }

    /// Starts listening again after the examiner's words or a pause of the exam.
    mutating func resume(_ voice: Voice, at now: ExamTime) {
        listeningSince = now
        self.voice = voice
        before = voice
        sureUntil = nil
    }
}
