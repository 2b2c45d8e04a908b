/// What is known of this speaker: the level in each band while speaking, and how loud the loudest of it.
///
/// The candidate is the nearest voice in the room; others are told from it by their level.
struct Speaker: Sendable {
    typealias Bands = FilterBank.Bands

    /// The mean level, dB; nil before anybody spoke.
    private var mean: Bands?
    /// How loud bursts of speech are at their loudest, dB.
    private var loudest: Float?

    /// How much the levels of speech vary, dB.
    private static let deviation: Float = 9.6
    /// The least by which speech is expected to stand out of the noise, dB; before anybody was heard, and then.
    private static let firstDistance: Float = 16
    private static let leastDistance: Float = 3.6
    /// The weight of a frame that is quieter than the mean: about 2 s; a louder one counts four times as much.
    private static let rate: Float = 0.005
    private static let rateUpwards: Float = 0.02
    /// A voice so far below the mean, in the mean over the bands, is not this speaker's, dB.
    private static let farther: Float = 6
    /// A burst whose loudest moment is so far below the speaker's is somebody else's, dB.
    static let distance: Float = 8
    /// The loudest level falls so much for every second that did not count, dB: a slammed door must not deafen for ever.
    private static let forgetting: Float = 2

    /// How unlikely this speaker has such a level: −log of the normal density, but for constants.
    func unlikelihood(_ level: Bands, _ noise: Bands) -> Bands {
        let z = (level.atLeast(noise) - expected(over: noise)) / Self.deviation
        return z * z * 0.5
    }

    static let logOfDeviation: Float = 2.2618

    /// The level that speech is expected to have beside noise of this mean.
    func expected(over noise: Bands) -> Bands {
        guard let mean else { return noise + Self.firstDistance }
        return mean.atLeast(noise + Self.leastDistance)
    }

    /// How far the speaker stands out of noise of this mean, in the mean over the bands, dB; nil before anybody spoke.
    func distance(over noise: Bands) -> Float? { mean.map { ($0 - noise).total / 8 } }

    func isNear(_ level: Bands) -> Bool {
        guard let mean else { return true }
        return (level - mean).total > -8 * Self.farther
    }

    /// Takes in a frame that is surely speech.
    mutating func learn(_ level: Bands) {
        guard let old = mean else {
            mean = level
            return
        }
        mean = old + (level - old) * Bands(repeating: Self.rateUpwards).replacing(with: Self.rate, where: level .< old)
    }

    /// Whether a burst with this level in its loudest tenth of a second, dB, is too quiet for this speaker.
    func isFar(burst level: Float) -> Bool {
        guard let loudest else { return false }
        return level <= loudest - Self.distance
    }

    /// Takes in a burst of speech: the level of its loudest tenth of a second, dB, and its length.
    mutating func learn(burst level: Float, frames: Int) {
        // A burst of a second decides as much as all before it.
        loudest = loudest.map { $0 + (level - $0) * min(Float(frames) / 200, 0.5) } ?? level
    }

    /// A burst of this length was too quiet.
    mutating func forget(frames: Int) {
        loudest? -= Self.forgetting * Float(frames) / 100
    }
}
