/// Hears when a person speaks and when not: an energy detector for 16 kHz mono sound.
///
/// Every 10 ms the levels of eight bands are weighed: are they rather this room's noise (`Room`) or this speaker's voice
/// (`Speaker`)? Both are known by a level and a spread in each band, learned from the sound itself. The *evidence* of a frame is
/// the mean over the bands of the logarithm of the two likelihoods' ratio. It adds up, and a change is where the sum turned
/// (E. S. Page, "Continuous Inspection Schemes", Biometrika 41, 1954). Speech must also have vowels, near the speaker's own
/// level: clatter has none, and other people's lie lower. ARCHITECTURE.md, "Ears", has a picture of it.
///
/// Streaming: any split of the same samples into calls gives the same changes. No allocation a call. The same on every
/// machine: it uses no library and no fused or reordered arithmetic. One stream, one value; one thread at a time.
public struct VoiceDetector: Sendable {
    /// The numbers that decide; the defaults are tuned on labelled speech (ARCHITECTURE.md, "Ears").
    public struct Settings: Equatable, Sendable {
        /// The least noise power a band is compared with: −85 dB of full scale.
        public var gate: Float = 3.2e-9
        /// Added to every frame's evidence: speech is more likely than not while somebody is listened to; nats.
        public var bias: Float = 1.03
        /// A frame's evidence lies in this range, so that none decides alone; nats.
        public var range: ClosedRange<Float> = -3.8...3.1
        /// The sum of evidence that makes a beginning, nats.
        public var beginning: Float = 25
        /// … and of evidence against it that makes an end: some 0.15 s of nothing.
        public var end: Float = 56
        /// The part of `beginning` that is enough soon after speech: pauses within an answer are commoner than answers.
        public var partSoonAfter: Float = 0.6
        /// How soon that is, frames.
        public var soonFrames = 150
        /// How periodic a vowel is at least, from 0 to 1.
        public var voicing: Float = 0.63
        /// Frames of vowels that a beginning has.
        public var vowelFrames = 8
        /// The sum that makes a beginning without any, in parts of `beginning`: a whisper.
        public var withoutVowels: Float = 4
        /// Frames without a vowel after which a voice is doubted …
        public var vowellessFrames = 40
        /// … and what each of them takes off the evidence, nats.
        public var doubt: Float = 2.3
        /// From so much evidence on a frame is surely this speaker's, nats.
        public var sure: Float = 1.5

        public init() {}
    }

    /// 10 ms at 16 kHz.
    static let frameSize = 160
    /// Frames whose mean is weighed at once; the one in their middle is decided: 30 ms of look-ahead.
    private static let window = 7
    /// The noise's likelihood counts so much against it in a band at most, nats: no band decides alone.
    private static let mostOfABand: Float = 8
    /// A sound that is shorter and has fewer frames of vowels is doubtful.
    private static let shortFrames = 60
    private static let fewVowels = 25
    /// What did not come near the speaker's loudness for so long is not waited for any longer.
    private static let longFrames = 300
    /// A beginning is decided about within so many frames, or nobody waits for it.
    private static let undecidedFrames = 50
    /// Breaths are shorter; whispered phrases are longer.
    private static let breathFrames = 100
    /// What was steady but for so many frames never was a voice.
    private static let fewestFrames = 10

    /// Where the voice stands out of the noise by less, dB, ends of answers are missed or come too early.
    ///
    /// Measured on 52 labelled answers: in the median it is 12 dB at a signal-to-noise ratio of 10 dB in babble, where no end is
    /// missed; 10 dB at 5 dB, where a quarter is.
    public static let leastVoiceOverNoise: Float = 10

    /// Samples heard so far, in whole frames of 10 ms.
    public private(set) var sampleCount = 0
    /// Whether a voice is heard now.
    public private(set) var isVoiced = false
    /// Whether anybody is listened to. While not, only the room's noise is followed.
    public private(set) var isListening = false
    /// The sample where a voice may have begun that is not decided about yet, for 0.5 s at most; nil where nothing points to one.
    public var mayHaveBegun: Int? {
        guard isListening, !isVoiced, evidence > 0, frames - turned <= Self.undecidedFrames else { return nil }
        return turned * Self.frameSize
    }
    /// How far this speaker's voice stands out of the room's noise, in the mean over the bands, dB; nil before anybody spoke.
    ///
    /// Below `leastVoiceOverNoise` ends of answers are missed or come too early.
    public var voiceOverNoise: Float? { speaker.distance(over: noise) }
    /// The last 10 ms.
    public private(set) var frame = VoiceFrame()

    private let settings: Settings
    private var filters = FilterBank()
    private var voicing = Voicing()
    private var floor = NoiseFloor()
    /// Its mean level in the last frame, dB.
    private var noise = FilterBank.Bands.zero
    private var steadiness = Steadiness()
    private var room = Room()
    private var speaker = Speaker()
    /// As it was known when the voice in progress began.
    private var speakerBefore = Speaker()
    private var pending: [Float] = []
    private var frames = 0
    /// The last amplitudes of each band.
    private var amplitudes: [FilterBank.Bands] = Array(repeating: .zero, count: window)
    /// For a change, since it turned; nats.
    private var evidence: Float = 0
    /// The frame where the sum of evidence last left zero: where a change will have happened.
    private var turned = 0
    /// The frame where the voice began, those when anybody was last listened to, and when speech that counted last ended.
    private var began = 0
    private var listeningSince = 0
    private var spokeUntil: Int?
    /// Frames of vowels since the sum turned, and frames since the last one.
    private var vowels = 0
    private var vowelless = 0
    private var rejected = RejectedSound()
    /// The power of about 0.1 s, and the most of it since a voice began.
    private var loudness: Float = 0
    private var loudest: Float = 0

    public init(_ settings: Settings = Settings()) {
        self.settings = settings
        pending.reserveCapacity(Self.frameSize)
    }

    /// Listens from now on with fresh ears: a voice that sounds already must begin anew, and whoever speaks first is the speaker,
    /// however loud the last one was. What is known of the room's noise stays.
    public mutating func listen() {
        isListening = true
        listeningSince = frames
        speaker = Speaker()
        spokeUntil = nil
        forgetVoice()
    }

    /// Stops listening, without a change: whoever was speaking is not heard any more.
    public mutating func stopListening() {
        isListening = false
        forgetVoice()
    }

    /// Hears more samples, full scale ±1, and reports what changed, in order.
    ///
    /// Samples that are not finite count as silence.
    public mutating func hear(_ samples: UnsafeBufferPointer<Float>, _ report: (VoiceChange) -> Void) {
        var rest = samples[...]
        while !rest.isEmpty {
            if pending.isEmpty && rest.count >= Self.frameSize {
                let whole = UnsafeBufferPointer(rebasing: rest.prefix(Self.frameSize))
                rest = rest.dropFirst(Self.frameSize)
                hear(frame: filters.powers(of: whole), report)
                continue
            }
            let part = rest.prefix(Self.frameSize - pending.count)
            pending.append(contentsOf: part)
            rest = rest.dropFirst(part.count)
            if pending.count == Self.frameSize {
                let powers = pending.withUnsafeBufferPointer { filters.powers(of: $0) }
                pending.removeAll(keepingCapacity: true)
                hear(frame: powers, report)
            }
        }
    }

    private mutating func hear(frame powers: FilterBank.Bands, _ report: (VoiceChange) -> Void) {
        let least = floor.follow(powers).atLeast(settings.gate)
        amplitudes[frames % Self.window] = powers.atLeast(settings.gate).squareRoot()
        voicing.hear(filters.slow)
        frames += 1
        sampleCount += Self.frameSize
        let mean = amplitudes.reduce(.zero, +) / Float(min(frames, Self.window))
        let power = mean * mean
        loudness += (power.total - loudness) * 0.1
        let level = power.decibels
        noise = room.level(over: least.decibels)
        let weighed = weigh(level, noise)
        if isVoiced {
            if weighed > settings.sure { speaker.learn(level) }
        } else if weighed < 0 {
            room.learn(level - noise)
        }
        // The frame in the middle; a change is never dated before anybody listened.
        let now = max(frames - 1 - Self.window / 2, listeningSince)
        if steadiness.follow(level, isVowel: vowelless == 0), (level - noise).total > 8 * Steadiness.change {
            floor.jump()
            if isVoiced { end(at: max(now - Steadiness.length, began), report) }
        }
        if isListening {
            if isVoiced { awaitEnd(weighed, now, report) } else { awaitBeginning(weighed, now, level - noise, report) }
        }
        frame = VoiceFrame(
            powers: powers, floor: least, evidence: evidence,
            threshold: isVoiced ? settings.end : settings.beginning, isVoiced: isVoiced)
    }

    /// The evidence of a frame for speech.
    private mutating func weigh(_ level: FilterBank.Bands, _ noise: FilterBank.Bands) -> Float {
        let against = (room.unlikelihood(level, noise) - Speaker.logOfDeviation).atMost(Self.mostOfABand)
        var bands = against - speaker.unlikelihood(level, noise) + settings.bias
        // What is no louder than the noise's mean never speaks for speech, however varied the noise.
        bands = bands.replacing(with: bands.atMost(0), where: level .<= noise)
        var evidence = bands.total / 8
        let isVowel = evidence > 0 && speaker.isNear(level) && voicing.exceeds(settings.voicing)
        vowelless = isVowel ? 0 : vowelless + 1
        if isVowel { vowels += 1 }
        if isVoiced && vowelless >= settings.vowellessFrames { evidence -= settings.doubt }
        return min(max(evidence, settings.range.lowerBound), settings.range.upperBound)
    }

    private mutating func awaitBeginning(
        _ weighed: Float, _ now: Int, _ difference: FilterBank.Bands, _ report: (VoiceChange) -> Void
    ) {
        if evidence == 0 {
            turned = now
            vowels = vowelless == 0 ? 1 : 0
        }
        evidence = max(0, evidence + weighed)
        guard evidence > 0 else {
            if (1..<RejectedSound.framesAtMost).contains(rejected.frames) { room.learn(rejected) }
            rejected = RejectedSound()
            return
        }
        rejected.add(difference)
        let isSoon = spokeUntil.map { now - $0 < settings.soonFrames } ?? false
        let part = isSoon ? settings.partSoonAfter : 1
        let hasVowels = vowels >= settings.vowelFrames
        let most = settings.beginning * settings.withoutVowels
        if !hasVowels { evidence = min(evidence, most) }
        guard hasVowels ? evidence >= settings.beginning * part : evidence >= most else { return }
        isVoiced = true
        evidence = 0
        rejected = RejectedSound()
        loudest = loudness
        speakerBefore = speaker
        began = turned
        turned = now + 1
        report(.began(atSample: began * Self.frameSize))
    }

    private mutating func awaitEnd(_ weighed: Float, _ now: Int, _ report: (VoiceChange) -> Void) {
        loudest = max(loudest, loudness)
        evidence = max(0, evidence - weighed)
        if evidence == 0 { turned = now + 1 }
        if evidence >= settings.end {
            end(at: turned, report)
        } else if now - began == Self.longFrames, speaker.isFar(burst: burstLevel) {
            end(at: now, report)  // It may go on for ever; what follows begins anew.
        }
    }

    private mutating func end(at last: Int, _ report: (VoiceChange) -> Void) {
        let sound = sound(until: last)
        switch sound {
        case .speech: speaker.learn(burst: burstLevel, frames: last - began)
        case .doubtful: break
        case .distant, .unvoiced, .steady: speaker = speakerBefore  // A slammed door is nobody's voice.
        }
        if sound == .distant { speaker.forget(frames: last - began) }
        if sound.counts { spokeUntil = last }
        forgetVoice()
        report(.ended(atSample: last * Self.frameSize, as: sound))
    }

    /// What the voice in progress turns out to be if it was over at this frame.
    private func sound(until last: Int) -> VoiceChange.Sound {
        let length = last - began
        if length < Self.fewestFrames { return .steady }
        if length < Self.breathFrames && vowels < settings.vowelFrames { return .unvoiced }
        if speaker.isFar(burst: burstLevel) { return .distant }
        return length < Self.shortFrames && vowels < Self.fewVowels ? .doubtful : .speech
    }

    /// Of the loudest tenth of a second of the voice in progress, dB.
    private var burstLevel: Float { FilterBank.Bands(repeating: loudest).decibels[0] }

    private mutating func forgetVoice() {
        isVoiced = false
        evidence = 0
        vowels = 0
        rejected = RejectedSound()
    }
}
