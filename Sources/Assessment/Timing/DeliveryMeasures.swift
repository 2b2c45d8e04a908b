/// Counts of speed and pausing for one or more answers.
///
/// Counts can be added (`+`), and rates are computed from the counts. A part's speech rate is therefore that of all its
/// speech, not the mean of its answers' rates. Times are in seconds. A rate is nil if its divisor is 0.
public struct DeliveryMeasures: Codable, Equatable, Sendable {
    /// The seconds from which a silence counts as a pause: the usual value in the field (de Jong & Bosker 2013, DiSS).
    public static let shortestPause = 0.25

    /// The number of answers.
    public var answers: Int
    /// The time from the first to the last speech, summed over answers.
    public var span: Double
    /// The time of the pauses in the span (`shortestPause` and longer).
    public var pauseTime: Double
    public var pauses: Int
    public var longestPause: Double
    /// The number of syllable nuclei.
    public var syllables: Int
    /// The number of stretches of speech between pauses.
    public var runs: Int
    /// The syllables and seconds of the first and the last third of each span, for the rates there.
    public var firstThird: Third
    public var lastThird: Third
    /// The time from the examiner's last word to the first speech, summed over the answers for which it is known, and
    /// their number.
    public var latency: Double
    public var latencies: Int
    /// The time from the first speech to the first pause, summed over the answers with a pause, and their number.
    public var untilFirstPause: Double
    public var pausingAnswers: Int

    public struct Third: Codable, Equatable, Sendable {
        public var syllables: Int
        public var seconds: Double

        public init(syllables: Int = 0, seconds: Double = 0) {
            self.syllables = syllables
            self.seconds = seconds
        }

        public var rate: Double? { seconds > 0 ? Double(syllables) / seconds : nil }
    }

    public init() {
        (answers, pauses, syllables, runs, latencies, pausingAnswers) = (0, 0, 0, 0, 0, 0)
        (span, pauseTime, longestPause, latency, untilFirstPause) = (0, 0, 0, 0, 0)
        (firstThird, lastThird) = (Third(), Third())
    }

    // MARK: - Rates

    /// Seconds of speech: the span without its pauses.
    public var speech: Double { max(0, span - pauseTime) }
    /// Syllables a second of the span, including pauses.
    public var speechRate: Double? { ratio(Double(syllables), span) }
    /// Syllables a second of speech.
    public var articulationRate: Double? { ratio(Double(syllables), speech) }
    /// The share of the span that is speech, 0 to 1.
    public var phonationTimeRatio: Double? { ratio(speech, span) }
    /// Syllables between two pauses, on average.
    public var meanLengthOfRun: Double? { ratio(Double(syllables), Double(runs)) }
    /// Pauses in a minute of the span.
    public var pausesPerMinute: Double? { ratio(Double(pauses) * 60, span) }
    /// Seconds.
    public var meanPause: Double? { ratio(pauseTime, Double(pauses)) }
    /// Seconds from the examiner's last word to the first speech, on average.
    public var responseLatency: Double? { ratio(latency, Double(latencies)) }
    /// Seconds from the first speech to the first pause, on average.
    public var timeToFirstPause: Double? { ratio(untilFirstPause, Double(pausingAnswers)) }

    private func ratio(_ a: Double, _ b: Double) -> Double? { b > 0 ? a / b : nil }

    public static func + (a: DeliveryMeasures, b: DeliveryMeasures) -> DeliveryMeasures {
        var sum = DeliveryMeasures()
        sum.answers = a.answers + b.answers
        sum.span = a.span + b.span
        sum.pauseTime = a.pauseTime + b.pauseTime
        sum.pauses = a.pauses + b.pauses
        sum.longestPause = max(a.longestPause, b.longestPause)
        sum.syllables = a.syllables + b.syllables
        sum.runs = a.runs + b.runs
        sum.firstThird = a.firstThird + b.firstThird
        sum.lastThird = a.lastThird + b.lastThird
        sum.latency = a.latency + b.latency
        sum.latencies = a.latencies + b.latencies
        sum.untilFirstPause = a.untilFirstPause + b.untilFirstPause
        sum.pausingAnswers = a.pausingAnswers + b.pausingAnswers
        return sum
    }
}

extension DeliveryMeasures.Third {
    static func + (a: Self, b: Self) -> Self {
        Self(syllables: a.syllables + b.syllables, seconds: a.seconds + b.seconds)
    }
}
