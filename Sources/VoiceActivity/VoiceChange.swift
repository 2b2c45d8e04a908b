/// Speech began or ended, dated in samples since the detector was made: when it happened, not when it was decided.
public enum VoiceChange: Equatable, Sendable {
    /// A voice began.
    case began(atSample: Int)
    /// The voice ended, and was this kind of sound.
    case ended(atSample: Int, as: Sound = .speech)

    /// The kind of a sound, known when it is over.
    public enum Sound: String, Equatable, Sendable {
        /// A voice that spoke.
        case speech
        /// Short, with few vowels: a squeak, a cough, or a very short word.
        case doubtful
        /// Far quieter than the speaker: another person or a noise.
        case distant
        /// Short and without a vowel: a breath, a cough, a chair.
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
    /// Returns the voices that count, in samples. A voice that has not ended lasts until `last`.
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
