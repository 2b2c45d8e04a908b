import Glibc

/// A data file that turns features of speech into an index. It is fitted to marks by people (`oracy calibrate --fit`).
public struct DeliveryCalibration: Codable, Equatable, Sendable {
    /// The version of the file's layout.
    public static let layoutVersion = 1

    public var version = DeliveryCalibration.layoutVersion
    /// A name and the first eight digits of the SHA-256 of all fitted values: `speechocean762-9a3f01c2`. Profiles refer
    /// to it.
    public var id: String
    /// The corpus it was fitted to and its licence, in a sentence.
    public var corpus: String
    public var speakers: Int
    public var sentences: Int
    /// The mean of the marks: the index of speech with average features.
    public var intercept: Double
    public var features: [Feature]
    /// The indices from which speech is `steady` and `fluent`.
    public var cuts: [Double]
    /// The variance of marks between speakers.
    public var speakerVariance: Double
    /// The variance of the index between samples of one second by the same speaker. For samples of n seconds, it is one
    /// n-th of that.
    public var secondVariance: Double

    public struct Feature: Codable, Equatable, Sendable {
        /// The name of the feature in `MeasuredSound.features`.
        public var name: String
        /// The limits of the value. A value beyond them counts as the limit.
        public var low: Double
        public var high: Double
        public var mean: Double
        public var deviation: Double
        /// The change in marks for one deviation.
        public var weight: Double

        public init(name: String, low: Double, high: Double, mean: Double, deviation: Double, weight: Double) {
            self.name = name
            self.low = low
            self.high = high
            self.mean = mean
            self.deviation = deviation
            self.weight = weight
        }
    }

    public init(
        id: String, corpus: String, speakers: Int, sentences: Int, intercept: Double, features: [Feature],
        cuts: [Double], speakerVariance: Double, secondVariance: Double
    ) {
        self.id = id
        self.corpus = corpus
        self.speakers = speakers
        self.sentences = sentences
        self.intercept = intercept
        self.features = features
        self.cuts = cuts
        self.speakerVariance = speakerVariance
        self.secondVariance = secondVariance
    }

    /// Returns the calibration to use for recordings that are judged together. Any calibration except `builtIn` is
    /// returned unchanged. Instead of `builtIn`, returns the best built-in calibration whose features all recordings
    /// have. Recordings lack features if no phones were heard in them, or if an earlier version measured them.
    ///
    /// - Parameter all: the features of each recording.
    func best(for all: [[String: Double]]) -> DeliveryCalibration {
        guard self == .builtIn else { return self }
        // Ignore recordings with too little sound for any index.
        let telling = all.filter { features in Self.choices.contains { $0.index(of: features) != nil } }
        guard !telling.isEmpty else { return self }
        return Self.choices.first { choice in telling.allSatisfy { choice.index(of: $0) != nil } } ?? self
    }

    /// The built-in calibrations, the best one first.
    private static let choices = [builtInWithPhones, builtIn, first]

    /// Returns the index of a recording, 0 to 10. Nil if the recording lacks a feature.
    public func index(of features: [String: Double]) -> Double? {
        var sum = intercept
        for feature in self.features {
            guard let value = features[feature.name] else { return nil }
            let kept = min(max(value, feature.low), feature.high)
            sum += feature.weight * (kept - feature.mean) / feature.deviation
        }
        return min(max(sum, 0), 10)
    }

    /// Returns the word for an index.
    public func word(for index: Double) -> DeliveryWord {
        let steps = cuts.count { index >= $0 }
        return steps == 0 ? .hesitant : steps == 1 ? .steady : .fluent
    }

    /// Returns the share of an index's variance that comes from the speaker rather than the sample: σ² / (σ² + ε² /
    /// seconds), 0 to 1.
    public func reliability(seconds: Double) -> Double {
        guard seconds > 0 else { return 0 }
        return speakerVariance / (speakerVariance + secondVariance / seconds)
    }
}
