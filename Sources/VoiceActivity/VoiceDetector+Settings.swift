extension VoiceDetector {
    /// The numbers that decide; the defaults are fitted to labelled speech (ARCHITECTURE.md, "Voice detection").
    public struct Settings: Codable, Equatable, Sendable {
        /// The least noise power a band is compared with: −85 dB of full scale.
        public var gate: Float = 3.2e-9
        /// Added to each frame's log-odds of speech, nats: `biasAtFirst` soon after the candidate is asked and until a voice is heard,
        /// `biasSoonAfter` during speech and soon after it, and `bias` otherwise. An answer is likely where one was asked for, and less and
        /// less likely than a noise the longer it does not come.
        public var bias: Float = -0.732
        /// Nats.
        public var biasSoonAfter: Float = 0.35
        /// Nats.
        public var biasAtFirst: Float = 0.491
        /// The time in which `biasAtFirst` counts, frames.
        public var firstFrames = 400
        /// The time after speech in which `biasSoonAfter` counts, frames.
        public var soonFrames = 173
        /// Where speech has lower odds than this in the mean, since noise hides it, the lack is made up for in this part. Nats.
        public var plainOdds: Float = 2.68
        /// The part, 0 … 1.
        public var trust: Float = 0.403
        /// Neighbouring frames say much the same: a frame counts for this part of its odds …
        public var weight: Float = 0.453
        /// … within this range, so that none decides alone; nats.
        public var range: ClosedRange<Float> = -1.04...2.51
        /// The sum of evidence that makes a beginning, nats; and of evidence against it that makes an end.
        public var beginning: Float = 14.6
        /// Nats.
        public var end: Float = 5
        /// The part of `beginning` that is enough soon after speech: pauses within an answer are commoner than answers.
        public var partSoonAfter: Float = 0.698
        /// The least periodicity of a vowel, from 0 to 1.
        public var voicing: Float = 0.623
        /// Frames of vowels that a short sound has, or it is a breath, a cough, a chair.
        public var vowelFrames = 2
        /// A voice begins so many frames before the evidence turned, and ends so many after it: words fade in and out.
        public var framesBefore = 2
        /// Frames.
        public var framesAfter = 1
        /// It ends so many later for every dB that the voice stands out of the noise by less than `plainVoice`, dB: there the end of
        /// a word lies under the noise.
        public var framesInNoise: Float = 0.519
        /// So many frames at most.
        public var framesInNoiseAtMost: Float = 30
        /// dB.
        public var plainVoice: Float = 15.3
        /// What is not decided about is waited for where it is so much louder than usual here, tens of dB.
        public var stirring: Float = 0.12

        /// The numbers that were fitted to labelled answers (docs/vad-training.md).
        public init() {}
    }
}
