import Glibc

/// A recording with labelled speech, the input and output of the changes in `Conditions`.
public struct LabelledRecording: Sendable {
    /// The file's name without folder and extension. It also stands for the speaker, since each recording has its own.
    public var name: String
    /// 16 kHz, full scale ±1. While it is being made, samples may exceed that.
    public var samples: [Double]
    public var speech: Speech

    static let rate = 16_000.0

    public init(name: String, samples: [Double], speech: Speech) {
        self.name = name
        self.samples = samples
        self.speech = speech
    }

    /// The length in seconds.
    public var duration: Double { Double(samples.count) / Self.rate }

    /// The samples for a file. A recording that would clip is scaled to a peak of 0.98, as in the labelled data's own
    /// scripts.
    public var pcm: [Int16] { samples.pcm(peak: 0.98) }

    /// The power of the labelled speech, a mean of squares; nil without speech.
    public var speechPower: Double? {
        let words = speech.stretches.flatMap { samples[place(of: $0)] }
        return words.isEmpty ? nil : words.power
    }

    /// Returns the range of samples of a stretch of seconds, limited to existing samples.
    func place(of stretch: Range<Double>) -> Range<Int> {
        place(of: stretch.lowerBound)..<place(of: stretch.upperBound)
    }

    func place(of second: Double) -> Int { min(max(Int(second * Self.rate), 0), samples.count) }
}

extension [Double] {
    /// The mean of squares; 0 for no samples.
    var power: Double { reduce(0) { $0 + $1 * $1 } / Double(Swift.max(count, 1)) }

    /// Returns 16-bit samples. If one exceeds `peak`, a fraction of full scale, all are attenuated.
    func pcm(peak: Double) -> [Int16] {
        let scale = Swift.min(1, peak / reduce(0) { Swift.max($0, abs($1)) })
        // Like libsndfile under python-soundfile: rounds to 32 bits and takes the upper 16.
        return map { Int16((($0 * scale * 2_147_483_647).rounded(.toNearestOrEven) / 65_536).rounded(.down)) }
    }
}

/// Returns the amplitude factor of a level in decibels.
func amplitude(ofDecibels decibels: Double) -> Double { pow(10, decibels / 20) }
