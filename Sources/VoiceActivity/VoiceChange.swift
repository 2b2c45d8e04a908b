/// Speech began or ended, dated in samples since the detector was made: when it happened, not when it was decided.
public enum VoiceChange: Equatable, Sendable {
    case began(atSample: Int)
    case ended(atSample: Int)
}
