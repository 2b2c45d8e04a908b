/// Speed and pausing, counted: of an answer, or of several together.
///
/// What is counted adds up (`+`), and the rates follow from the counts: a part's speech rate is that of all its speech, not the mean of its
/// answers' rates. Seconds, syllables, and their ratios; a rate is nil where there is nothing to divide by.
public struct DeliveryMeasures: Codable, Equatable, Sendable {
    /// A silence counts as a pause from so many seconds on: the field's usual value (de Jong & Bosker 2013, DiSS).
    public static let shortestPause = 0.25

    /// Answers that were counted.
    public var answers: Int
    /// From first to last speech, summed over answers.
    public var span: Double
    /// Of which pauses (`shortestPause` and longer).
    public var pauseTime: Double
    public var pauses: Int
    public var longestPause: Double
    /// Syllable nuclei.
    public var syllables: Int
    /// Stretches of speech between pauses.
    public var runs: Int
    /// The first and the last third of each span: syllables and seconds, for the rates there.
    public var firstThird: Third
    public var lastThird: Third
    /// From the examiner's last word to the first speech, summed, and of how many answers it is known.
    public var latency: Double
    public var latencies: Int
    /// From the first speech to the first pause, summed over the answers that have one, and how many these are.
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
    /// Syllables a second of the span, pauses included.
    public var speechRate: Double? { ratio(Double(syllables), span) }
    /// Syllables a second of speech.
    public var articulationRate: Double? { ratio(Double(syllables), speech) }
    /// The part of the span that is speech, 0 … 1.
    public var phonationTimeRatio: Double? { ratio(speech, span) }
    /// Syllables between pauses.
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
