/// Whether a sound keeps its level for half a second, as fans and engines do and speech does not.
///
/// A room that becomes louder at once, or a microphone that is unmuted, would else count as speech until the floor's seconds
/// are over (the idea is that of P. Ghosh et al., "Robust Voice Activity Detection Using Long-Term Signal Variability", 2011).
struct Steadiness: Sendable {
    typealias Bands = FilterBank.Bands

    /// Frames.
    static let length = 50
    /// How far the level of such a sound goes up and down in the mean over the bands, dB: a fan's 3, a phrase's 20.
    private static let span: Float = 4
    /// It is another room where it is so much louder than the noise that is known, dB.
    static let change: Float = 6

    private var least = Bands.zero
    private var most = Bands.zero
    private var frames = 0

    /// Takes in the next frame's level, dB.
    ///
    /// - Returns: whether half a second was steady; then another begins.
    mutating func follow(_ level: Bands, isVowel: Bool) -> Bool {
        least = least.atMost(level)
        most = most.atLeast(level)
        frames += 1
        let isSteady = !isVowel && frames > 1 && (most - least).total <= 8 * Self.span
        guard !isSteady || frames >= Self.length else { return false }
        least = level
        most = level
        frames = isSteady ? 0 : 1
        return isSteady
    }
}
