/// Says where speech begins and ends, from the log-odds of its frames.
///
/// A frame's log-odds, clamped so that no frame decides alone, are its *evidence*. The evidence of successive frames is
/// summed. When the sum reaches a threshold, the change is dated to the frame where the sum last left zero (E. S. Page,
/// "Continuous Inspection Schemes", Biometrika 41, 1954). Evidence for speech weighs more soon after speech: an end
/// that is declared too early costs an answer, a late one only a moment.
///
/// ```
///   silent ── evidence for speech ≥ beginning ──▶ voiced
///      ▲                                             │
///      └────── evidence against it ≥ end ────────────┘  speech │ doubtful │ unvoiced │ distant
/// ```
struct Endpointer: Sendable {
    typealias Settings = VoiceDetector.Settings

    /// The findings about 10 ms of sound, made once the next tenth of a second was heard.
    struct Frame {
        /// The odds of speech, nats.
        var logOdds: Float
        /// The periodicity of the sound, 0 to 1.
        var voicing: Float
        /// By how much the mean band is louder than the room's floor, tens of dB.
        var excess: Float
        /// The power of about the last 0.1 s, of all bands.
        var loudness: Float
    }

    /// Whether a voice is heard now.
    private(set) var isVoiced = false
    /// The sum of evidence for the next change, nats, since the frame `turned`.
    private(set) var evidence: Float = 0
    /// The frame in which the sum of evidence last left zero. The next change will be dated to it.
    private(set) var turned = 0
    private(set) var speaker = SpeakerModel()

    private let settings: Settings
    /// The speaker before the voice in progress, to restore if it turns out to be a noise.
    private var speakerBefore = SpeakerModel()
    /// The first frame of the voice in progress.
    private var began = 0
    /// The frame in which the last voice ended, whether it counted or not.
    private var ended = 0
    /// The first frame after `begin(at:)`.
    private var first = 0
    /// The frame in which the last voice that counted ended. Nil before there was one.
    private var spokeUntil: Int?
    /// Frames of vowels since the sum turned.
    private var vowels = 0
    /// The loudest 0.1 s since a voice began.
    private var loudest: Float = 0

    /// A sound that is shorter and has fewer frames of vowels is doubtful.
    private static let shortFrames = 60
    private static let fewVowels = 25
    /// The detector stops waiting for the end of a sound that stays far below the speaker's loudness for this long.
    private static let longFrames = 300
    /// Breaths are shorter; whispered phrases are longer.
    private static let breathFrames = 100

    init(_ settings: Settings) {
        self.settings = settings
    }

    /// The frame to which the beginning of a voice would be dated.
    var onset: Int { max(turned - settings.framesBefore, ended) }

    /// The evidence that makes the next change.
    var threshold: Float { isVoiced ? settings.end : settings.beginning }

    /// Begins anew at a frame, with an unknown speaker in the same room.
    mutating func begin(at frame: Int) {
        speaker = speaker.another()
        spokeUntil = nil
        ended = frame
        first = frame
        forgetVoice()
    }

    mutating func forgetVoice() {
        isVoiced = false
        evidence = 0
        vowels = 0
    }

    /// Learns the room's sound while the detector does not listen.
    mutating func overhear(_ frame: Frame) {
        if frame.logOdds < 0 { speaker.learnSilence(frame.excess) }
    }

    /// Takes in the frame with this number. Returns the change that it completes; nil if there is none yet.
    mutating func decide(_ frame: Frame, at number: Int) -> VoiceChange? {
        let isLikely = isVoiced || spokeUntil.map { number - $0 < settings.soonFrames } ?? false
        let weighed = weigh(frame, isLikely: isLikely, at: number)
        if weighed > 0 {
            if isVoiced { speaker.learnSpeech(frame.excess, odds: frame.logOdds) }
        } else if !isVoiced {
            speaker.learnSilence(frame.excess)
        }
        if isVoiced { return awaitEnd(weighed, frame, at: number) }
        return awaitBeginning(weighed, isLikely: isLikely, frame, at: number)
    }

    /// The evidence of a frame, nats.
    private func weigh(_ frame: Frame, isLikely: Bool, at number: Int) -> Float {
        let isFirst = spokeUntil == nil && number - first < settings.firstFrames
        var odds = frame.logOdds + (isFirst ? settings.biasAtFirst : settings.bias)
        if isLikely {
            let hidden = max(0, settings.plainOdds - (speaker.odds ?? settings.plainOdds))
            odds = frame.logOdds + settings.biasSoonAfter + hidden * settings.trust
        }
        return min(max(odds * settings.weight, settings.range.lowerBound), settings.range.upperBound)
    }

    private mutating func awaitBeginning(
        _ weighed: Float, isLikely: Bool, _ frame: Frame, at number: Int
    ) -> VoiceChange? {
        if evidence == 0 {
            turned = number
            vowels = 0
        }
        evidence = max(0, evidence + weighed)
        countVowel(weighed, frame)
        guard evidence >= settings.beginning * (isLikely ? settings.partSoonAfter : 1) else { return nil }
        isVoiced = true
        evidence = 0
        loudest = frame.loudness
        speakerBefore = speaker
        began = onset
        turned = number + 1
        return .began(atSample: began * VoiceDetector.frameSize)
    }

    private mutating func awaitEnd(_ weighed: Float, _ frame: Frame, at number: Int) -> VoiceChange? {
        evidence = max(0, evidence - weighed)
        if evidence == 0 { turned = number + 1 }
        countVowel(weighed, frame)
        loudest = max(loudest, frame.loudness)
        if evidence >= settings.end { return end(at: min(turned + framesAfter, number + 1)) }
        // A distant sound, such as a television, may never end: drop it, and wait for a voice again.
        if number - began == Self.longFrames, speaker.isFar(burst: burstLevel) { return end(at: number) }
        return nil
    }

    private mutating func countVowel(_ weighed: Float, _ frame: Frame) {
        if weighed > 0 && frame.voicing >= settings.voicing { vowels += 1 }
    }

    /// The frames between the turn of the evidence and the end of the voice: more in noise, which hides ends of words.
    private var framesAfter: Int {
        let lacking = max(0, settings.plainVoice - (speaker.voiceOverNoise ?? settings.plainVoice))
        return settings.framesAfter + Int(min(settings.framesInNoise * lacking, settings.framesInNoiseAtMost))
    }

    private mutating func end(at last: Int) -> VoiceChange {
        let sound = sound(until: last)
        switch sound {
        case .speech: speaker.learn(burst: burstLevel, frames: last - began)
        case .doubtful: break
        case .distant, .unvoiced: speaker = speakerBefore  // A slammed door is not a voice.
        }
        if sound == .distant { speaker.forget(frames: last - began) }
        if sound.counts { spokeUntil = last }
        ended = last
        forgetVoice()
        return .ended(atSample: last * VoiceDetector.frameSize, as: sound)
    }

    /// Classifies the voice in progress as if it ended at this frame.
    private func sound(until last: Int) -> VoiceChange.Sound {
        let length = last - began
        if length < Self.breathFrames && vowels < settings.vowelFrames { return .unvoiced }
        if speaker.isFar(burst: burstLevel) { return .distant }
        return length < Self.shortFrames && vowels < Self.fewVowels ? .doubtful : .speech
    }

    /// The level of the loudest tenth of a second of the voice in progress, dB.
    private var burstLevel: Float { FilterBank.Bands(repeating: loudest).decibels[0] }
}
