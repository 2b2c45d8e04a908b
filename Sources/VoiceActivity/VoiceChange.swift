/// Speech began or ended, dated in samples since the detector was made: when it happened, not when it was decided.
public enum VoiceChange: Equatable, Sendable {
    case began(atSample: Int)
    case ended(atSample: Int)
}

extension Sequence<VoiceChange> {
    /// Where a voice was, in samples: from each beginning to its end, and to `last` where it has not ended.
    public func voices(until last: Int) -> [Range<Int>] {
        var voices: [Range<Int>] = []
        var beginning: Int?
        for change in self {
            switch change {
            case .began(let sample): beginning = sample
            case .ended(let sample):
                if let beginning { voices.append(beginning..<sample) }
                beginning = nil
            }
        }
        if let beginning { voices.append(beginning..<last) }
        return voices
    }
}
