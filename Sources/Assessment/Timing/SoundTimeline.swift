/// What a recording sounds like over time: where it is speech, where it pauses, where its syllables are.
///
/// Measured from the sound itself, in frames of 10 ms; not from the detector that ends answers, whose events come late on purpose.
/// All times are seconds from the recording's first sample, to the millisecond.
public struct SoundTimeline: Codable, Equatable, Sendable {
    /// Of the recording, in seconds.
    public var duration: Double
    /// From where the first speech begins to where the last one ends; nil where there is none.
    public var span: TimeRange?
    /// The silences inside the span, 0.2 s and longer, in order (`DeliveryMeasures.shortestPause` says which are counted).
    public var silences: [TimeRange]
    /// Where each syllable's loudest moment is, in order, inside the span.
    public var syllables: [Double]
    /// The loudest sample, 0 … 1, of each 50 ms (`SoundTimeline.peakStep`), to two digits.
    public var peaks: [Double]

    /// Seconds that one of `peaks` stands for.
    public static let peakStep = 0.05

    public init(
        duration: Double, span: TimeRange? = nil, silences: [TimeRange] = [], syllables: [Double] = [],
        peaks: [Double] = []
    ) {
        self.duration = duration
        self.span = span
        self.silences = silences
        self.syllables = syllables
        self.peaks = peaks
    }

    /// The silences that count as pauses.
    public var pauses: [TimeRange] { silences.filter { $0.length >= DeliveryMeasures.shortestPause } }

    /// The loudest of each of so many equal pieces of the recording, 0 … 1: what a small picture of it needs. Fewer where the recording is
    /// shorter than that.
    public func peaks(count: Int) -> [Double] {
        let columns = min(max(count, 0), peaks.count)
        return (0..<columns).map { column in
            peaks[(column * peaks.count / columns)..<((column + 1) * peaks.count / columns)].max() ?? 0
        }
    }
}

/// From one moment to another, in seconds.
public struct TimeRange: Codable, Equatable, Sendable {
    public var start: Double
    public var end: Double

    public init(_ start: Double, _ end: Double) {
        self.start = start
        self.end = end
    }

    public var length: Double { end - start }

    public init(from decoder: any Decoder) throws {
        var pair = try decoder.unkeyedContainer()
        start = try pair.decode(Double.self)
        end = try pair.decode(Double.self)
        guard start <= end else {
            throw DecodingError.dataCorruptedError(in: pair, debugDescription: "ends before it begins")
        }
    }

    /// As `[start, end]`.
    public func encode(to encoder: any Encoder) throws {
        var pair = encoder.unkeyedContainer()
        try pair.encode(start)
        try pair.encode(end)
    }
}
