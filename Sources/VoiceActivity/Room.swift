/// What this room's noise is like in each band: how loud over its floor, and how much it varies.
///
/// A steady hum keeps close to its floor, a crowd does not: the same 6 dB are a voice beside the one and nothing beside the
/// other. Learned from what is no speech, a frame at a time, and from sounds that raised a doubt and came to nothing.
struct Room: Sendable {
    typealias Bands = FilterBank.Bands

    /// The mean level over the floor, dB, and the variance about it, dB².
    private var over = Bands(repeating: 2.5)
    private var variance = Bands(repeating: firstDeviation * firstDeviation / widening)
    /// Both from the variance, which changes more seldom than they are asked for.
    private var deviation = Bands.zero
    private var logOfDeviation = Bands.zero

    /// The weight of a new frame: about 0.3 s.
    private static let rate: Float = 0.029
    /// Steady noise in frames of 70 ms, dB.
    private static let firstDeviation: Float = 2.6
    private static let leastDeviation: Float = 1.2
    /// The variance of what was heard is less than that of what is to come.
    private static let widening: Float = 1.5
    private static let mostOver: Float = 17
    /// Less than a speaker's: no noise is so varied that a level at its very mean is more likely speech.
    private static let mostVariance: Float = 50
    /// A level counts as no farther below the mean, dB: a room that falls silent is not a varied one.
    static let mostBelow: Float = -8
    static let mostAbove: Float = 30

    init() {
        spread()
    }

    /// The noise's mean level where this is its floor, dB.
    func level(over floor: Bands) -> Bands { floor + over }

    /// How unlikely noise of this mean has such a level: −log of the normal density, but for a constant. What lies below the
    /// mean is as likely as the mean.
    func unlikelihood(_ level: Bands, _ mean: Bands) -> Bands {
        let z = (level - mean).atLeast(0) / deviation
        return z * z * 0.5 + logOfDeviation
    }

    /// Takes in by how much a frame of noise differs from the mean.
    mutating func learn(_ difference: Bands) {
        let difference = difference.atLeast(Self.mostBelow)
        learn(mean: difference, meanSquare: difference * difference, weight: Self.rate)
    }

    /// Takes in a sound of several frames that was none of speech.
    mutating func learn(_ sound: RejectedSound) {
        let count = Float(sound.frames)
        // What so many single frames would weigh, in a form without powers: nearly 1 − (1 − rate)^count.
        let weight = Self.rate * RejectedSound.part * count
        learn(mean: sound.sum / count, meanSquare: sound.squares / count, weight: weight / (1 + weight))
    }

    private mutating func learn(mean: Bands, meanSquare: Bands, weight: Float) {
        over = (over + mean * weight).atLeast(0).atMost(Self.mostOver)
        variance = (variance + (meanSquare - variance) * weight).atMost(Self.mostVariance)
        spread()
    }

    private mutating func spread() {
        deviation = (variance * Self.widening).squareRoot().atLeast(Self.leastDeviation)
        logOfDeviation = deviation.decibels * (0.1 * FilterBank.Bands.logOfTen)
    }
}

/// A sound that raised the evidence for speech, and what it was like, until it came to nothing.
struct RejectedSound: Sendable {
    typealias Bands = FilterBank.Bands

    private(set) var frames = 0
    private(set) var sum = Bands.zero
    private(set) var squares = Bands.zero

    /// Such frames count for so much of a frame of plain noise: they may have been speech.
    static let part: Float = 0.3
    /// What lasts longer than 1 s is not learned: a voice that was hardly heard.
    static let framesAtMost = 100

    mutating func add(_ difference: Bands) {
        let difference = difference.atLeast(Room.mostBelow).atMost(Room.mostAbove)
        frames += 1
        sum += difference
        squares += difference * difference
    }
}
