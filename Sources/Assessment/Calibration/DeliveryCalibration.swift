import Glibc

/// How features of speech become an index: fitted to marks that people gave (`oracy calibrate --fit`), a file of data.
public struct DeliveryCalibration: Codable, Equatable, Sendable {
    /// The version of this file's own layout.
    public static let layoutVersion = 1

    public var version = DeliveryCalibration.layoutVersion
    /// A name, and the first eight digits of the SHA-256 of all that is fitted: `speechocean762-9a3f01c2`. Profiles name it.
    public var id: String
    /// What it was fitted to: the corpus and its licence, in a sentence.
    public var corpus: String
    public var speakers: Int
    public var sentences: Int
    /// The mean of the marks: the index of speech whose features are all the mean ones.
    public var intercept: Double
    public var features: [Feature]
    /// From the first on speech is `steady`, from the second `fluent`.
    public var cuts: [Double]
    /// The variance of marks between speakers.
    public var speakerVariance: Double
    /// The variance of an index around its speaker's own, over one second of speech: over n seconds it is an n-th of that.
    public var secondVariance: Double

    public struct Feature: Codable, Equatable, Sendable {
        /// As in `MeasuredSound.features`.
        public var name: String
        /// Beyond these more of it changes nothing: the plateau.
        public var low: Double
        public var high: Double
        public var mean: Double
        public var deviation: Double
        /// Marks for one deviation.
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

    /// The index of a recording, 0 … 10; nil where it has too little of a feature.
    public func index(of features: [String: Double]) -> Double? {
        var sum = intercept
        for feature in self.features {
            guard let value = features[feature.name] else { return nil }
            let kept = min(max(value, feature.low), feature.high)
            sum += feature.weight * (kept - feature.mean) / feature.deviation
        }
        return min(max(sum, 0), 10)
    }

    /// The word for an index.
    public func word(for index: Double) -> DeliveryWord {
        let steps = cuts.count { index >= $0 }
        return steps == 0 ? .hesitant : steps == 1 ? .steady : .fluent
    }

    /// How much of an index's variance is the speaker's and not the sample's: σ² / (σ² + ε² / seconds); 0 … 1.
    public func reliability(seconds: Double) -> Double {
        guard seconds > 0 else { return 0 }
        return speakerVariance / (speakerVariance + secondVariance / seconds)
    }
}
