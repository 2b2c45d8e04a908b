/// A moment since the exam began, as counted by the audio: 16 samples of 16 kHz sound are one millisecond.
///
/// No clock is involved. The caller that feeds events to the exam states the time, and times never decrease.
public struct ExamTime: Comparable, Hashable, Sendable {
    /// The time since the beginning of the exam. Never negative.
    public var sinceBegin: Duration

    public init(sinceBegin: Duration) {
        self.sinceBegin = sinceBegin
    }

    /// Creates the moment at which `count` samples of 16 kHz mono sound have passed.
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
    /// Whole milliseconds, rounded down. The log and the manifest use this unit.
    public var milliseconds: Int {
        Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000)
    }

    /// The duration in seconds. The fraction is converted separately, so that 301.12 s is the number 301.12: a division
    /// of two durations rounds twice.
    public var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}

/// A length of time as a format file states it: a number of seconds such as `0.5`, from zero to a day, in whole
/// milliseconds.
public struct Seconds: Codable, Hashable, Sendable {
    public let duration: Duration

    /// The length in seconds, as a file states it.
    public var inSeconds: Double { duration.inSeconds }

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
