import Glibc

/// A recording and where speech is in it: what the sounds in `Conditions` are made of, and what they become.
public struct LabelledRecording: Sendable {
    /// Its file's, without folder and extension: the speaker's too, since each recording has one of its own.
    public var name: String
    /// 16 kHz, full scale ±1; more while it is being made.
    public var samples: [Double]
    public var speech: Speech

    static let rate = 16_000.0

    public init(name: String, samples: [Double], speech: Speech) {
        self.name = name
        self.samples = samples
        self.speech = speech
    }

    /// Seconds.
    public var duration: Double { Double(samples.count) / Self.rate }

    /// As it is written to a file: what would clip is scaled to a peak of 0.98, as the labelled data's own scripts do.
    public var pcm: [Int16] { samples.pcm(peak: 0.98) }

    /// Of the labelled speech: a mean of squares; nil without any.
    public var speechPower: Double? {
        let words = speech.stretches.flatMap { samples[place(of: $0)] }
        return words.isEmpty ? nil : words.power
    }

    /// Whole samples of a stretch of seconds, as far as there are any.
    func place(of stretch: Range<Double>) -> Range<Int> {
        place(of: stretch.lowerBound)..<place(of: stretch.upperBound)
    }

    func place(of second: Double) -> Int { min(max(Int(second * Self.rate), 0), samples.count) }
}

extension [Double] {
    /// The mean of squares; 0 of no samples.
    var power: Double { reduce(0) { $0 + $1 * $1 } / Double(Swift.max(count, 1)) }

    /// 16-bit samples; all are made quieter where one is over `peak`, a part of full scale.
    func pcm(peak: Double) -> [Int16] {
        let scale = Swift.min(1, peak / reduce(0) { Swift.max($0, abs($1)) })
        // As python-soundfile has libsndfile do it: rounded to 32 bits, and the upper 16 of those.
        return map { Int16((($0 * scale * 2_147_483_647).rounded(.toNearestOrEven) / 65_536).rounded(.down)) }
    }
}

/// The factor of amplitude that so many decibels are.
func amplitude(ofDecibels decibels: Double) -> Double { pow(10, decibels / 20) }
