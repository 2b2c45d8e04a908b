/// A moment since the exam began, as the audio counts it: 16 samples of 16 kHz sound are one millisecond.
///
/// There is no clock behind it. Whoever feeds the machine says what time it is, and times never decrease.
public struct ExamTime: Comparable, Hashable, Sendable {
    /// How long after the beginning of the exam; never negative.
    public var sinceBegin: Duration

    public init(sinceBegin: Duration) {
        self.sinceBegin = sinceBegin
    }

    /// The moment at which `count` samples of 16 kHz mono sound have passed.
    public init(sampleCount count: Int) {
        self.init(sinceBegin: .microseconds(count * 1000 / 16))
    }

    public static let zero = ExamTime(sinceBegin: .zero)

    public static func < (a: ExamTime, b: ExamTime) -> Bool { a.sinceBegin < b.sinceBegin }
    public static func + (time: ExamTime, span: Duration) -> ExamTime { ExamTime(sinceBegin: time.sinceBegin + span) }
    public static func - (time: ExamTime, span: Duration) -> ExamTime { ExamTime(sinceBegin: time.sinceBegin - span) }
    public static func - (a: ExamTime, b: ExamTime) -> Duration { a.sinceBegin - b.sinceBegin }
}

extension Duration {
    /// Whole milliseconds, rounded down; what the log and the manifest are written in.
    public var milliseconds: Int {
        Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000)
    }
}

/// A length of time as a format file states it: a number of seconds (`0.5`), zero to a day, kept to the millisecond.
public struct Seconds: Codable, Hashable, Sendable {
    public let duration: Duration

    public init(_ duration: Duration) {
        self.duration = .milliseconds(duration.milliseconds)
    }

    public init(from decoder: any Decoder) throws {
        let seconds = try decoder.singleValueContainer().decode(Double.self)
        guard (0...86_400).contains(seconds) else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "\(seconds) is not a number of seconds from 0 to 86400"
                )
            )
        }
        duration = .milliseconds(Int((seconds * 1000).rounded()))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Double(duration.milliseconds) / 1000)
    }
}
