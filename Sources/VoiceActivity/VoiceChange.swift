/// Speech began or ended, dated in samples since the detector was made: when it happened, not when it was decided.
public enum VoiceChange: Equatable, Sendable {
    /// A voice began.
    case began(atSample: Int)
    /// What began was over, and turned out to be this.
    case ended(atSample: Int, as: Sound = .speech)

    /// What a sound was.
    public enum Sound: String, Equatable, Sendable {
        /// A voice that spoke.
        case speech
        /// So short and so little voiced that it may be no speech: a squeak, a cough, or a very short word.
        case doubtful
        /// Far quieter than the speaker: somebody or something else.
        case distant
        /// Not long, and without a vowel: a breath, a cough, a chair.
        case unvoiced

        /// Whether it may have been the speaker.
        public var counts: Bool {
            switch self {
            case .speech, .doubtful: true
            case .distant, .unvoiced: false
            }
        }
    }
}

extension Sequence<VoiceChange> {
    /// Where a voice was, in samples: from each beginning to its end, and to `last` where it has not ended; without what
    /// turned out not to count.
    public func voices(until last: Int) -> [Range<Int>] {
        var voices: [Range<Int>] = []
        var beginning: Int?
        for change in self {
            switch change {
            case .began(let sample): beginning = sample
            case .ended(let sample, let sound):
                if let beginning, sound.counts { voices.append(beginning..<sample) }
                beginning = nil
            }
        }
        if let beginning { voices.append(beginning..<last) }
        return voices
    }
}
