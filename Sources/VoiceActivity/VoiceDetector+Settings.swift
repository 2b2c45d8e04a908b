extension VoiceDetector {
    /// The numbers that decide; the defaults are fitted to labelled speech (ARCHITECTURE.md, "Voice detection").
    public struct Settings: Codable, Equatable, Sendable {
        /// The least floor of a band: −85 dB of full scale.
        public var gate: Float = 3.2e-9
        /// Added to each frame's log-odds of speech if neither of the next two applies, nats. It is the lowest of the
        /// three, because the longer an answer does not come, the more likely a sound is a noise.
        public var bias: Float = -0.732
        /// Added instead during speech and soon after it, nats.
        public var biasSoonAfter: Float = 0.35
        /// Added instead soon after the candidate was asked, until a voice is heard; nats. An answer is likely then.
        public var biasAtFirst: Float = 0.491
        /// The time in which `biasAtFirst` counts, frames.
        public var firstFrames = 400
        /// The time after speech in which `biasSoonAfter` counts, frames.
        public var soonFrames = 173
        /// The mean log-odds of speech that no noise hides, nats.
        public var plainOdds: Float = 2.68
        /// If noise lowers the speaker's mean log-odds, this part of the distance to `plainOdds` is added to each
        /// frame's odds, during speech and soon after it. From 0 to 1.
        public var trust: Float = 0.403
        /// The part of its odds that a frame counts for, because neighbouring frames say much the same.
        public var weight: Float = 0.453
        /// The limits of a frame's evidence, nats, so that no frame decides alone.
        public var range: ClosedRange<Float> = -1.04...2.51
        /// The sum of evidence for speech that makes a beginning, nats.
        public var beginning: Float = 14.6
        /// The sum of evidence against speech that makes an end, nats.
        public var end: Float = 5
        /// The part of `beginning` that is enough soon after speech: most voices then continue an answer after a pause.
        public var partSoonAfter: Float = 0.698
        /// The least periodicity of a vowel, from 0 to 1.
        public var voicing: Float = 0.623
        /// The fewest frames of vowels in a short voice. A sound with fewer is a breath, a cough or a chair.
        public var vowelFrames = 2
        /// A voice begins this many frames before the evidence turned, because words fade in.
        public var framesBefore = 2
        /// A voice ends this many frames after the evidence turned, because words fade out.
        public var framesAfter = 1
        /// The frames by which a voice ends later for each dB between `voiceOverNoise` and `plainVoice`: noise hides
        /// the ends of words.
        public var framesInNoise: Float = 0.519
        /// The most frames that `framesInNoise` adds.
        public var framesInNoiseAtMost: Float = 30
        /// The `voiceOverNoise` from which on noise hides no ends of words, dB.
        public var plainVoice: Float = 15.3
        /// A voice may have begun (`mayHaveBegun`) if undecided frames are louder than the room's usual sound by more
        /// than this, tens of dB.
        public var stirring: Float = 0.12

        /// The numbers that were fitted to labelled answers (docs/vad-training.md).
        public init() {}
    }
}
