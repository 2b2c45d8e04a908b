/// The sound before and after a frame of 10 ms: how far each band stood out of the room's floor, and how periodic it was.
///
/// Five windows from 150 ms before the frame to 90 ms after it, finest about the frame itself, and two running means of about
/// 0.3 and 1 s with their deviations: what this room sounds like all the time; and by how much the last half second stayed above the
/// floor. `SpeechLikeness` weighs these numbers.
struct Surroundings: Sendable {
    typealias Bands = FilterBank.Bands

    /// Frames from the one that the numbers are about to the newest: 90 ms of look-ahead.
    static let lookAhead = 9
    /// The numbers are weighed for every fourth frame; the three between lie on a straight line.
    static let step = 4
    /// Frames from the one that is decided about to the newest: 120 ms.
    static let decided = lookAhead + step - 1
    /// Of every window the bands and the voicing, of every running mean the bands, their deviations and the voicing, how far the
    /// frame is under the loudest one lately, and the bands of what stays.
    static let count = (edges.count - 1) * 9 + rates.count * 17 + 1 + 8

    /// Where the windows begin, and the last one ends: frames before the newest.
    private static let edges = [0, 6, 9, 12, 17, 25]
    /// The weight of a new frame in the running means.
    private static let rates: [Float] = [0.03, 0.01]
    /// The loudest frame is forgotten by so much a frame, tens of dB: 10 dB a second.
    private static let forgetting: Float = 0.01
    /// A floor that rises by more than this at once, in the mean band, has left a quiet past behind; tens of dB.
    private static let leap: Float = 0.5
    /// The periodicity of noise; only more periodic sound counts in the running means, which are stretched to the others' range.
    private static let noiseVoicing: Float = 0.5
    private static let voicingScale: Float = 3

    /// The limits of loudness; quieter or louder sound counts as these, tens of dB.
    private static let leastExcess: Float = -0.5
    private static let mostExcess: Float = 4.5
    /// Both are kept in whole steps of a 64th (0.16 dB), so that sums over windows are exact and never drift.
    private static let steps: Float = 64
    /// Adding this to a small number, and taking it away, leaves the number's nearest integer.
    private static let rounding: Float = 12_582_912  // 1.5 · 2²³

    /// The last frames, round and round, the newest at `newest`.
    private var bands = InlineArray<25, Bands>(repeating: .zero)
    private var voicings = InlineArray<25, Float>(repeating: 0)
    private var newest = 0
    /// Of each window, the newest first.
    private var bandSums = InlineArray<5, Bands>(repeating: .zero)
    private var voicingSums = InlineArray<5, Float>(repeating: 0)
    /// Of each rate.
    private var means = InlineArray<2, Bands>(repeating: .zero)
    private var squares = InlineArray<2, Bands>(repeating: .zero)
    private var voicingMeans = InlineArray<2, Float>(repeating: 0)
    private var loudest: Float = 0
    /// Of the frame that is decided about: by how much its mean band was louder than the floor, tens of dB, and how periodic it was.
    private(set) var excess: Float = 0
    private(set) var voicing: Float = 0
    /// By how much what is not decided about, or half of it, is louder than usual here, tens of dB.
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
        // What a window lost, the next one gets; what the last one loses lies where the newest frame will.
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
        // Worked out here, where nothing is copied: whoever asks a value for an element of its arrays gets it by way of a copy of all of them.
        let decided = place(Self.decided)
        self.excess = bands[decided].total / 8
        self.voicing = voicings[decided]
        // Two halves of what is not decided about: a short sound is not lost between them.
        let late = bandSums[0] / Self.length(0)
        let early = (bandSums[1] + bandSums[2]) / (Self.length(1) + Self.length(2))
        stirring = (max(late.total, early.total) - means[0].total) / 8
    }

    /// Says that the floor has risen, tens of dB. After a leap, the running means are restated over the new floor.
    ///
    /// Otherwise a noise that began after quiet would leave means far above the floor that it has become, and the next words would
    /// look quieter than the noise for two seconds and a half.
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

    /// Where the frame lies that so many came after.
    private func place(_ back: Int) -> Int { back <= newest ? newest - back : newest - back + bands.count }

    private static func length(_ window: Int) -> Float { Float(edges[window + 1] - edges[window]) }

    /// Writes `count` numbers about the frame `lookAhead` ago: levels in tens of dB.
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
        // The two windows on both sides of the frame.
        put((bandSums[1] / Self.length(1) + bandSums[2] / Self.length(2)).total / 16 - loudest)
        put(staying)
    }
}
