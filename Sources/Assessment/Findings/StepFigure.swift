/// The figure on which a recommendation rests, and the value from which it differs.
public struct StepFigure: Codable, Equatable, Sendable {
    /// The value with which a figure is compared.
    public enum Reference: String, Codable, Sendable {
        /// A value that listeners notice, or zero for faults that are counted.
        case target
        /// The learner's own median of earlier exams.
        case median
        /// The same measure at the beginning of the answers.
        case beginning
    }

    /// The measure's id: `longestPause`.
    public var measure: String
    public var value: Double
    /// The unit of value, reference and error: `s`.
    public var unit: String
    public var reference: Reference
    public var referenceValue: Double
    /// The error of the measure. A difference that isn't larger says nothing.
    public var error: Double

    public init(
        _ measure: String, _ value: Double, _ unit: String, from reference: Reference = .target,
        _ referenceValue: Double,
        error: Double
    ) {
        self.measure = measure
        self.value = value
        self.unit = unit
        self.reference = reference
        self.referenceValue = referenceValue
        self.error = error
    }

    /// Whether the value differs from the reference by more than the measure's error.
    public var isTelling: Bool { abs(value - referenceValue) > error }
}

/// The errors of measures, with their sources. Advice needs a larger difference.
enum MeasureError {
    /// In seconds. In synthetic speech, 98 % of pauses begin and end within 20 ms of the times that Praat finds, so
    /// their lengths are wrong by at most 40 ms.
    static let pause = 0.04
    /// In seconds. As for pauses, but only the beginning of the speech is uncertain: the end of the examiner's words is
    /// known to the sample.
    static let latency = 0.02
    /// In seconds of speech, for an answer of a few words: the length of the shortest pause, which may or may not
    /// count.
    static let speech = DeliveryMeasures.shortestPause
    /// The share by which two rates of the same voice must differ: twice the error of counting syllables.
    static let rate = Plateau.rateChange
    /// Percentage points of the time speaking. With twenty pauses a minute, the error of their lengths changes this
    /// share by 1.3. The rest allows for differences between questions.
    static let phonation = 5.0
    /// Mistakes of one kind. Even a checker that found none in 30 correct sentences may be wrong once.
    static let mistakes = 1.0
    /// Words that were repeated immediately. A candidate may repeat two on purpose.
    static let repetitions = 2.0
    /// Answers. Counts have no error.
    static let count = 0.0
}
