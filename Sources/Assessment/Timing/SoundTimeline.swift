/// The course of a recording over time: its speech, pauses and syllables.
///
/// It is measured from the sound in frames of 10 ms. The detector that ends answers is not used, because its events are
/// late on purpose. All times are seconds from the recording's first sample, to the millisecond.
public struct SoundTimeline: Codable, Equatable, Sendable {
    /// The length of the recording in seconds.
    public var duration: Double
    /// The time from the beginning of the first speech to the end of the last. Nil without speech.
    public var span: TimeRange?
    /// The silences of 0.2 s and longer inside the span, in order. `DeliveryMeasures.shortestPause` says which of them
    /// count.
    public var silences: [TimeRange]
    /// The loudest moment of each syllable, in order, inside the span.
    public var syllables: [Double]
    /// The loudest sample of each 50 ms (`SoundTimeline.peakStep`), 0 to 1, to two digits.
    public var peaks: [Double]

    /// The seconds that one of `peaks` covers.
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

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        duration = try fields.decode(Double.self, forKey: .duration)
        span = try fields.decodeIfPresent(TimeRange.self, forKey: .span)
        silences = try fields.decode([TimeRange].self, forKey: .silences)
        syllables = try fields.numbers(.syllables)
        peaks = try fields.numbers(.peaks)
    }

    /// The silences that count as pauses.
    public var pauses: [TimeRange] { silences.filter { $0.length >= DeliveryMeasures.shortestPause } }

    /// Returns the peaks of this many equal pieces of the recording, 0 to 1, for a small picture of it. Returns fewer
    /// if the recording has fewer peaks.
    public func peaks(count: Int) -> [Double] {
        let columns = min(max(count, 0), peaks.count)
        return (0..<columns).map { column in
            peaks[(column * peaks.count / columns)..<((column + 1) * peaks.count / columns)].max() ?? 0
        }
    }
}

extension KeyedDecodingContainer {
    /// Decodes a list of numbers, three times as fast as `decode([Double].self)`, which decodes each through a container
    /// of its own. An exam has some 9,000 peaks.
    fileprivate func numbers(_ key: Key) throws -> [Double] {
        var list = try nestedUnkeyedContainer(forKey: key)
        var numbers: [Double] = []
        numbers.reserveCapacity(list.count ?? 0)
        while !list.isAtEnd { numbers.append(try list.decode(Double.self)) }
        return numbers
    }
}

/// A span of time in seconds.
public struct TimeRange: Codable, Equatable, Sendable {
    public var start: Double
    public var end: Double

    public init(_ start: Double, _ end: Double) {
        self.start = start
        self.end = end
    }

    public var length: Double { end - start }

    /// Returns the part within another range. Nil if they do not overlap.
    public func within(_ other: TimeRange) -> TimeRange? {
        let (start, end) = (max(start, other.start), min(end, other.end))
        return start < end ? TimeRange(start, end) : nil
    }

    /// Returns the seconds that lie within another range.
    public func overlap(_ other: TimeRange) -> Double { within(other)?.length ?? 0 }

    public init(from decoder: any Decoder) throws {
        var pair = try decoder.unkeyedContainer()
        start = try pair.decode(Double.self)
        end = try pair.decode(Double.self)
        guard start <= end else {
            throw DecodingError.dataCorruptedError(in: pair, debugDescription: "ends before it begins")
        }
    }

    /// Encodes the range as `[start, end]`.
    public func encode(to encoder: any Encoder) throws {
        var pair = encoder.unkeyedContainer()
        try pair.encode(start)
        try pair.encode(end)
    }
}
