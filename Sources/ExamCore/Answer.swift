/// One answer while it is being given: what was heard so far, and whether it is over.
///
/// Two files answer "what happens when the candidate stops speaking?": `EndOfAnswer` says when a silence means that the answer
/// is over; this one says what follows (`verdict`), and the exam does it (`Exam.judge`). Both compare dates and nothing else:
/// deadlines lie in the values, so there is no timer that could outlive its answer (A19).
///
/// ```
///             voiceBegan              voiceEnded
///   silent ───────────────▶ speaking ───────────▶ pausing
///     │                         ▲                    │ silence ≥ the rule's, past the minimum ▶ end(.finished)
///     │ the silence ladder:     └────────────────────┤ the pausing ladder, once or before the minimum ▶ nudge
///     │ nudge … nudge, then end(.noAnswer)           │
///     └───────────── any state, at a limit ──────────┴─▶ end(.timeUp)
/// ```
public struct Answer: Equatable, Sendable {
    /// What may be done about an answer at a moment.
    enum Verdict: Equatable {
        case goOn
        /// So much time is left before the limit.
        case warn(Duration)
        /// The examiner says something, and the same answer goes on.
        case nudge(Clip, Nudge)
        case end(AnswerEnd)
    }

    /// When and why an answer must end.
    struct Limit: Equatable {
        var at: ExamTime
        var clock: AnswerEnd.TimeLimit
    }

    /// When the examiner first fell silent for it.
    public let openedAt: ExamTime
    public private(set) var ending: EndOfAnswer
    /// When the answer's own clock started; nil while it waits for a first word.
    public private(set) var clockBegan: ExamTime?
    /// The same before the sound in progress, which may turn out not to count.
    private var clockBefore: ExamTime?
    /// Whether the candidate may go on once more after a silence that ended the answer: not before something was said, if a sound that did so
    /// turned out not to be speech.
    public private(set) var mayGoOn = true
    /// How often the question was asked for again, refusals included.
    public private(set) var repeatsAsked = 0
    private var silentSteps = 0
    private var pausingSteps = 0
    private var followedUp = false
    /// What the examiner asked last in this answer, in other words than the turn's question; nil: nothing.
    public private(set) var asked: Clip?
    /// How many of the script's warnings are past, given or never due.
    private var warningsPast = 0
    /// When `finish` is to be offered; nil where it never is, or was.
    private var offerAt: ExamTime?

    init(at now: ExamTime, rule: ExamScript.AnswerRule) {
        openedAt = now
        ending = EndOfAnswer(at: now)
        clockBegan = rule.clockStart == .opening ? now : nil
        offerAt = rule.finishableAfter.flatMap { $0 > .zero ? now + $0 : nil }
    }

    public var voice: EndOfAnswer.Voice { ending.voice }
    /// Time spoken so far, without the burst in progress.
    public var speech: Duration { ending.speech }

    // MARK: - What is heard

    mutating func voiceBegan(at onset: ExamTime) {
        if case .speaking = voice { return }
        ending.began(at: onset)
        clockBefore = clockBegan
        guard clockBegan == nil, case .speaking(let since) = voice else { return }
        clockBegan = since
    }

    /// The examiner's words in a pause were not heard: they will be said in the next one.
    ///
    /// - Parameter began: when the examiner began to speak.
    mutating func takesBackNudge(at began: ExamTime) {
        pausingSteps -= 1
        ending.resume(.pausing(since: began), at: began)
    }

    /// The candidate speaks on after a silence that ended the answer.
    mutating func goesOn(at onset: ExamTime) {
        mayGoOn = false
        voiceBegan(at: onset)
    }

    /// - Returns: the candidate's own pause before this speech; nil where there was none.
    mutating func voiceEnded(at offset: ExamTime, as sound: EndOfAnswer.Sound = .speech) -> Duration? {
        guard case .speaking = voice else { return nil }
        if !sound.counts { clockBegan = clockBefore }
        if sound == .speech { mayGoOn = true }
        return ending.ended(at: offset, as: sound)
    }

    // MARK: - What follows from it

    /// - Parameters:
    ///   - quietUntil: from when on a voice may have begun, as far as the detector can tell; else now.
    ///   - silence: what ends the answer after speech; nil: nothing does.
    ///   - isOwn: whether the candidate's own pauses made it so.
    mutating func verdict(
        at now: ExamTime,
        quietUntil: ExamTime,
        rule: ExamScript.AnswerRule,
        silence: (length: Duration, isOwn: Bool)?,
        limit: Limit,
        warnings: [Duration]
    ) -> Verdict {
        if now >= limit.at { return .end(.timeUp(limit.clock)) }
        let closing = rule.interruption.map { now >= limit.at - $0.aim } ?? false
        switch voice {
        case .speaking: break
        case .pausing(let since):
            if closing, quietUntil - since >= rule.interruption!.pause { return .end(.timeUp(limit.clock)) }
            let why = silence.flatMap {
                ending.reason(at: quietUntil, silence: $0.length, isOwn: $0.isOwn)
            }
            // Where pauses only lengthen the silence, the examiner prompts once before one ends the answer, and a pause that began before the
            // minimum ends nothing while a prompt is left.
            let isEarly = !mayEnd(at: rule.onlyLengthens ? since : now, rule)
            if !closing, isEarly || (rule.onlyLengthens && pausingSteps == 0),
                let step = rule.whenPausing.dropFirst(pausingSteps).first, let clip = step.clip
            {
                guard isEarly ? quietUntil - since >= step.after : why != nil else { break }
                pausingSteps += 1
                return .nudge(clip, .pausing)
            }
            if let why, mayEnd(at: now, rule) { return followUp(rule, closing: closing) ?? .end(.finished(why)) }
        case .silent(let since) where followedUp:
            // "Why?" is given as long as the question was given before its first rung; then the short answer stands.
            if quietUntil - since >= rule.whenSilent.first?.after ?? .zero { return .end(.finished(nil)) }
        case .silent(let since):
            guard let step = rule.whenSilent.dropFirst(silentSteps).first, quietUntil - since >= step.after else {
                break
            }
            guard let clip = step.clip else { return .end(speech > .zero ? .finished(nil) : .noAnswer) }
            if closing { break }
            silentSteps += 1
            return .nudge(clip, .silent)
        }
        return warning(at: now, limit: limit, warnings)
    }

    /// Whether something is left to be said to a candidate who asks for the question again.
    func mayRepeat(_ rule: ExamScript.AnswerRule) -> Bool { repeatsAsked < rule.repeats.count || rule.refusal != nil }

    /// What the candidate hears who asks for the question again, where that is allowed.
    mutating func repeatAsked(_ rule: ExamScript.AnswerRule) -> (clip: Clip, nudge: Nudge) {
        repeatsAsked += 1
        if repeatsAsked <= rule.repeats.count { return (rule.repeats[repeatsAsked - 1], .repeated) }
        return (rule.refusal!, .refused)
    }

    /// Whether the candidate may declare the answer complete from now on, and was not told so yet.
    mutating func offersFinish(at now: ExamTime) -> Bool {
        guard let due = offerAt, now >= due else { return false }
        offerAt = nil
        return true
    }

    /// The examiner has spoken in the middle of the answer; listening begins afresh.
    ///
    /// After a prompt in a pause, or a request that was refused, what was said still counts and silence is measured anew. After
    /// anything else the answer is awaited again; a clock that starts with the first word waits with it for a question that
    /// was asked again.
    mutating func resumed(at now: ExamTime, after nudge: Nudge, _ clip: Clip, rule: ExamScript.AnswerRule) {
        switch nudge {
        case .pausing: ending.resume(.pausing(since: now), at: now)
        case .silent: ending.resume(.silent(since: now), at: now)
        case .refused: resumed(at: now)
        case .followUp:
            asked = clip
            ending.resume(.silent(since: now), at: now)
        case .repeated:
            asked = clip
            ending.resume(.silent(since: now), at: now)
            if rule.clockStart == .firstWord { clockBegan = nil }
        }
    }

    /// Listening goes on after a pause of the whole exam, during which nothing was said to the candidate.
    mutating func resumed(at now: ExamTime) {
        switch voice {
        case .silent: ending.resume(.silent(since: now), at: now)
        case .speaking, .pausing: ending.resume(.pausing(since: now), at: now)
        }
    }

    /// Why the examiner spoke in the middle of an answer.
    public enum Nudge: Equatable, Sendable {
        case silent, pausing, followUp
        /// The question was asked again, or that was refused.
        case repeated, refused
    }

    private func mayEnd(at now: ExamTime, _ rule: ExamScript.AnswerRule) -> Bool {
        guard let clockBegan else { return false }
        return now - clockBegan >= rule.minimum
    }

    private mutating func followUp(_ rule: ExamScript.AnswerRule, closing: Bool) -> Verdict? {
        guard let clip = rule.followUp, let under = rule.followUpUnder, speech < under, !followedUp, !closing else {
            return nil
        }
        followedUp = true
        return .nudge(clip, .followUp)
    }

    // MARK: - Time left

    private mutating func warning(at now: ExamTime, limit: Limit, _ warnings: [Duration]) -> Verdict {
        guard warningsPast < warnings.count, limit.at - now <= warnings[warningsPast],
            let due = warnings.dropFirst(warningsPast).lastIndex(where: { limit.at - now <= $0 })
        else {
            return .goOn
        }
        warningsPast = due + 1
        return .warn(warnings[due])
    }

    /// From now on this limit holds: warnings that were due before it was known never come, and those that were given
    /// before another limit come again.
    mutating func limitKnown(_ limit: Limit, at now: ExamTime, warnings: [Duration]) {
        warningsPast = warnings.count { limit.at - now <= $0 }
    }
}

extension Exam {
    /// The earliest of the answer's own maximum, its part's hard end and the exam's last moment for an answer.
    func limit(of answer: Answer, _ turn: Int) -> Answer.Limit {
        var limit = Answer.Limit(at: ExamTime(sinceBegin: script.lastAnswerEnd), clock: .exam)
        if let end = script.parts[script.turns[turn].part].hardEnd, partBegan + end < limit.at {
            limit = Answer.Limit(at: partBegan + end, clock: .part)
        }
        if let maximum = script.turns[turn].answer?.maximum, let began = answer.clockBegan, began + maximum < limit.at {
            limit = Answer.Limit(at: began + maximum, clock: .answer)
        }
        return limit
    }
}

/// How an answer came to its end; every take ends in exactly one.
public enum AnswerEnd: Hashable, Sendable {
    /// The candidate had spoken and fell silent; with the reason where that is a silence after speech, and not the end of a ladder.
    case finished(EndOfAnswer.Reason?)
    /// The candidate said nothing and the ladder was used up.
    case noAnswer
    /// A clock ran out.
    case timeUp(TimeLimit)
    /// The candidate declared it over, as the format allows.
    case declared
    case withdrawn
    /// The candidate began the answer again, as the format allows; what was heard until then counts for nothing.
    case startedAgain
    /// The microphone was lost; what was heard until then is kept, and the question is asked again.
    case deviceLost

    /// `startedAgain` as it stands in logs and records.
    public static let begunAgain = "startedAgain"

    public enum TimeLimit: String, CaseIterable, Hashable, Sendable {
        /// The answer's own maximum.
        case answer
        case part
        case exam
    }
}
