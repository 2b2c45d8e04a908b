/// The sound before and after a frame of 10 ms: how far each band stood out of the room's floor, and how periodic it
/// was.
///
/// - Five windows from 150 ms before the frame to 90 ms after it, shortest near the frame itself.
/// - Two running means of about 0.3 and 1 s with their deviations, which describe the room's usual sound.
/// - The excess over the floor that each band kept throughout the last half second.
///
/// `SpeechLikeness` weighs these numbers.
struct Surroundings: Sendable {
    typealias Bands = FilterBank.Bands

    /// The newest frame comes this many frames after the one that the numbers describe: 90 ms of look-ahead.
    static let lookAhead = 9
    /// The numbers are weighed for every fourth frame. The log-odds of the three between are interpolated.
    static let step = 4
    /// The newest frame comes this many frames after the one whose evidence is complete: 120 ms.
    static let decided = lookAhead + step - 1
    /// The count of numbers. Each window has bands and voicing, and each running mean has bands, deviations and
    /// voicing. Then come the frame's distance from the loudest recent one, and the bands of the lasting excess.
    static let count = (edges.count - 1) * 9 + rates.count * 17 + 1 + 8

    /// The edges of the windows, in frames before the newest.
    private static let edges = [0, 6, 9, 12, 17, 25]
    /// The weight of a new frame in the running means.
    private static let rates: [Float] = [0.03, 0.01]
    /// The remembered loudest level falls by this much a frame, tens of dB: 10 dB a second.
    private static let forgetting: Float = 0.01
    /// If the floor rises by more than this in one frame, averaged over the bands, a noise has begun. Tens of dB.
    private static let leap: Float = 0.5
    /// The periodicity of noise. Only sound that is more periodic counts in the running means of voicing, which are
    /// stretched to the range of the other means.
    private static let noiseVoicing: Float = 0.5
    private static let voicingScale: Float = 3

    /// The limits of loudness; quieter or louder sound counts as these, tens of dB.
    private static let leastExcess: Float = -0.5
    private static let mostExcess: Float = 4.5
    /// Numbers are rounded to steps of a 64th (0.16 dB for levels), so that sums over windows are exact and never
    /// drift.
    private static let steps: Float = 64
    /// Adding this to a small number, and taking it away, leaves the number's nearest integer.
    private static let rounding: Float = 12_582_912  // 1.5 · 2²³

    /// A ring of the last frames, the newest at `newest`.
    private var bands = InlineArray<25, Bands>(repeating: .zero)
    private var voicings = InlineArray<25, Float>(repeating: 0)
    private var newest = 0
    /// The sums over each window, the newest window first.
    private var bandSums = InlineArray<5, Bands>(repeating: .zero)
    private var voicingSums = InlineArray<5, Float>(repeating: 0)
    /// The running mean of each rate.
    private var means = InlineArray<2, Bands>(repeating: .zero)
    private var squares = InlineArray<2, Bands>(repeating: .zero)
    private var voicingMeans = InlineArray<2, Float>(repeating: 0)
    private var loudest: Float = 0
    /// The mean excess over the floor, tens of dB, of the frame whose evidence is complete.
    private(set) var excess: Float = 0
    /// The periodicity of that frame, 0 to 1.
    private(set) var voicing: Float = 0
    /// The excess of the frames after that frame, or of the louder half of them, over the room's usual sound. Tens of
    /// dB.
    private(set) var stirring: Float = 0

    /// Takes in the next frame.
    ///
    /// - Parameters:
    ///   - excess: by how much each band is louder than the room's floor, tens of dB.
    ///   - voicing: how periodic it is, 0 to 1.
    mutating func follow(_ excess: Bands, voicing: Float) {
        let excess = Self.inSteps(excess.atLeast(Self.leastExcess).atMost(Self.mostExcess))
        let voicing = Self.inSteps(Bands(repeating: voicing))[0]
        newest = newest + 1 == bands.count ? 0 : newest + 1
        // The frame that leaves a window enters the next one. The newest frame takes the place of the one that leaves
        // the last.
        var (comes, sounds) = (excess, voicing)
        for window in bandSums.indices {
            let place = place(Self.edges[window + 1])
            bandSums[window] += comes - bands[place]
            voicingSums[window] += sounds - voicings[place]
            (comes, sounds) = (bands[place], voicings[place])
        }
        bands[newest] = excess
        voicings[newest] = voicing
        let over = max(voicing - Self.noiseVoicing, 0)
        for (index, rate) in Self.rates.enumerated() {
            means[index] += (excess - means[index]) * rate
            squares[index] += (excess * excess - squares[index]) * rate
            voicingMeans[index] += (over - voicingMeans[index]) * rate
        }
        loudest = max(excess.total / 8, loudest - Self.forgetting)
        // Stored rather than computed on demand: reading one element through the value would copy its whole array.
        let decided = place(Self.decided)
        self.excess = bands[decided].total / 8
        self.voicing = voicings[decided]
        // The frames after `decided` in two halves, so that a short sound in one of them is not averaged away.
        let late = bandSums[0] / Self.length(0)
        let early = (bandSums[1] + bandSums[2]) / (Self.length(1) + Self.length(2))
        stirring = (max(late.total, early.total) - means[0].total) / 8
    }

    /// Takes in a rise of the floor, tens of dB. After a leap, recomputes the running means relative to the new floor.
    ///
    /// Without this, a noise that begins after quiet would leave the means far above the new floor, and for two and a
    /// half seconds words would look quieter than the noise.
    mutating func raiseFloor(by rise: Bands) {
        let leap = rise.total / 8
        guard leap > Self.leap else { return }
        loudest = max(0, loudest - leap)
        for index in means.indices {
            let variance = squares[index] - means[index] * means[index]
            means[index] = (means[index] - rise).atLeast(0)
            squares[index] = variance + means[index] * means[index]
        }
    }

    private static func inSteps(_ numbers: Bands) -> Bands { (numbers * steps + rounding - rounding) / steps }

    /// Returns the index in the ring of the frame that came so many frames before the newest.
    private func place(_ back: Int) -> Int { back <= newest ? newest - back : newest - back + bands.count }

    private static func length(_ window: Int) -> Float { Float(edges[window + 1] - edges[window]) }

    /// Writes `count` numbers about the frame `lookAhead` frames before the newest. Levels are in tens of dB.
    ///
    /// - Parameter staying: by how much each band stayed above the floor throughout the last half second, tens of dB.
    func write(to numbers: UnsafeMutablePointer<Float>, staying: Bands) {
        var next = numbers
        func put(_ bands: Bands) {
            UnsafeMutableRawPointer(next).storeBytes(of: bands, as: Bands.self)
            next += 8
        }
        func put(_ number: Float) {
            next.pointee = number
            next += 1
        }
        for window in bandSums.indices {
            put(bandSums[window] / Self.length(window))
            put(voicingSums[window] / Self.length(window))
        }
        for index in means.indices {
            put(means[index])
            put((squares[index] - means[index] * means[index]).atLeast(0).squareRoot())
            put(voicingMeans[index] * Self.voicingScale)
        }
        // The two windows on either side of the frame.
        put((bandSums[1] / Self.length(1) + bandSums[2] / Self.length(2)).total / 16 - loudest)
        put(staying)
    }
}
