/// One answer while the candidate gives it: what was heard so far, and whether it is over.
///
/// Two files decide what happens when the candidate stops speaking. `EndOfAnswer` decides when silence means that the
/// answer is over. `verdict`, in this file, decides what follows, and `Exam.judge` carries it out. Both files only
/// compare times: deadlines are stored in the values, so no timer can outlive its answer.
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
    /// The action that an answer calls for at a given moment.
    enum Verdict: Equatable {
        case goOn
        /// This much time is left before the limit.
        case warn(Duration)
        /// The examiner says something, and the same answer continues.
        case nudge(Clip, Nudge)
        case end(AnswerEnd)
    }

    /// The time at which an answer must end, and the clock that sets it.
    struct Limit: Equatable {
        var at: ExamTime
        var clock: AnswerEnd.TimeLimit
    }

    /// When the examiner first fell silent for this answer.
    public let openedAt: ExamTime
    public private(set) var ending: EndOfAnswer
    /// When the answer's own clock started. Nil while it waits for the first word.
    public private(set) var clockBegan: ExamTime?
    /// The value of `clockBegan` before the sound in progress, which may turn out not to count.
    private var clockBefore: ExamTime?
    /// Whether the candidate may continue once more after a silence that ended the answer. If the sound that continued
    /// it turns out not to be speech, the candidate has to say something before this is true again.
    public private(set) var mayGoOn = true
    /// The number of times the candidate asked for the question again, including refused requests.
    public private(set) var repeatsAsked = 0
    private var silentSteps = 0
    private var pausingSteps = 0
    private var followedUp = false
    /// The latest clip that the examiner asked in this answer, other than the turn's own question. Nil if there is
    /// none.
    public private(set) var asked: Clip?
    /// The number of the script's warnings that were given, or that can no longer become due.
    private var warningsPast = 0
    /// When to offer `finish`. Nil if the rule never offers it, or it was already offered.
    private var offerAt: ExamTime?

    init(at now: ExamTime, rule: ExamScript.AnswerRule) {
        openedAt = now
        ending = EndOfAnswer(at: now)
        clockBegan = rule.clockStart == .opening ? now : nil
        offerAt = rule.finishableAfter.flatMap { $0 > .zero ? now + $0 : nil }
    }

    public var voice: EndOfAnswer.Voice { ending.voice }
    /// The time spoken so far, not counting the burst in progress.
    public var speech: Duration { ending.speech }

    // MARK: - Hearing the candidate

    mutating func voiceBegan(at onset: ExamTime) {
        if case .speaking = voice { return }
        ending.began(at: onset)
        clockBefore = clockBegan
        guard clockBegan == nil, case .speaking(let since) = voice else { return }
        clockBegan = since
    }

    /// Takes back a prompt that the examiner began in a pause, because the candidate did not hear it. The examiner says
    /// it in the next pause.
    ///
    /// - Parameter began: when the examiner began to speak.
    mutating func takesBackNudge(at began: ExamTime) {
        pausingSteps -= 1
        ending.resume(.pausing(since: began), at: began)
    }

    /// Continues the answer when the candidate speaks after a silence that ended it.
    mutating func goesOn(at onset: ExamTime) {
        mayGoOn = false
        voiceBegan(at: onset)
    }

    /// Records the end of a sound.
    ///
    /// - Returns: the candidate's own pause before this speech. Nil if there was none.
    mutating func voiceEnded(at offset: ExamTime, as sound: EndOfAnswer.Sound = .speech) -> Duration? {
        guard case .speaking = voice else { return nil }
        if !sound.counts { clockBegan = clockBefore }
        if sound == .speech { mayGoOn = true }
        return ending.ended(at: offset, as: sound)
    }

    // MARK: - Consequences

    /// Returns the action that the answer calls for now.
    ///
    /// - Parameters:
    ///   - quietUntil: the moment up to which the detector is sure that no voice began. Equals `now` if it has no
    ///     doubt.
    ///   - silence: the length of silence that ends the answer after speech. Nil if silence never does.
    ///     `isOwn` says whether it was learned from the candidate's own pauses.
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
            // If pauses only lengthen the silence, the examiner prompts once before a silence ends the answer. A pause
            // that began before the minimum never ends the answer while a prompt is left.
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
            // After "Why?" the candidate has as much time as the question's ladder allows before its first step. If the
            // candidate says nothing more, the short answer stands.
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

    /// Returns whether the examiner has something left to say if the candidate asks for the question again.
    func mayRepeat(_ rule: ExamScript.AnswerRule) -> Bool { repeatsAsked < rule.repeats.count || rule.refusal != nil }

    /// Counts a permitted request to hear the question again, and returns the clip that answers it.
    mutating func repeatAsked(_ rule: ExamScript.AnswerRule) -> (clip: Clip, nudge: Nudge) {
        repeatsAsked += 1
        if repeatsAsked <= rule.repeats.count { return (rule.repeats[repeatsAsked - 1], .repeated) }
        return (rule.refusal!, .refused)
    }

    /// Returns whether to tell the candidate now that the answer may be declared complete. Returns true once.
    mutating func offersFinish(at now: ExamTime) -> Bool {
        guard let due = offerAt, now >= due else { return false }
        offerAt = nil
        return true
    }

    /// Starts listening again after the examiner has spoken in the middle of the answer.
    ///
    /// After a prompt in a pause, or a refused request, what was said still counts and silence is measured from now on.
    /// After anything else, the exam waits for the answer anew. If the question was repeated, a clock that starts with
    /// the first word waits for it again.
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

    /// Starts listening again after a pause of the whole exam, in which the examiner said nothing.
    mutating func resumed(at now: ExamTime) {
        switch voice {
        case .silent: ending.resume(.silent(since: now), at: now)
        case .speaking, .pausing: ending.resume(.pausing(since: now), at: now)
        }
    }

    /// The reason why the examiner speaks in the middle of an answer.
    public enum Nudge: Equatable, Sendable {
        case silent, pausing, followUp
        /// The question was asked again, or the request for it was refused.
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

    /// Applies a new limit to the time warnings. Warnings that were due before the limit was known are dropped, and
    /// warnings that were given for an earlier limit are given again.
    mutating func limitKnown(_ limit: Limit, at now: ExamTime, warnings: [Duration]) {
        warningsPast = warnings.count { limit.at - now <= $0 }
    }
}

extension Exam {
    /// Returns the earliest of the answer's own maximum, its part's hard end, and the exam's last moment for an answer.
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

/// The way in which an answer ended. Every take ends in exactly one way.
public enum AnswerEnd: Hashable, Sendable {
    /// The candidate had spoken and fell silent. The reason is nil if the end of a ladder, not a silence after speech,
    /// ended the answer.
    case finished(EndOfAnswer.Reason?)
    /// The candidate said nothing, and all steps of the ladder were used.
    case noAnswer
    /// A clock ran out.
    case timeUp(TimeLimit)
    /// The candidate declared the answer complete, as the format allows.
    case declared
    case withdrawn
    /// The candidate began the answer again, as the format allows. What was heard until then does not count.
    case startedAgain
    /// The microphone was lost. What was heard until then is kept, and the question is asked again.
    case deviceLost

    /// The name of `startedAgain` in logs and records.
    public static let begunAgain = "startedAgain"

    public enum TimeLimit: String, CaseIterable, Hashable, Sendable {
        /// The answer's own maximum.
        case answer
        case part
        case exam
    }
}
