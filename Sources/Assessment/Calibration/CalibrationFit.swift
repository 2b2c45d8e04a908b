/// Fits a calibration to recordings that people marked.
///
/// The fit is a ridge regression on features that are limited to their 2 % and 98 % quantiles and standardized.
public struct CalibrationFit: Sendable {
    /// A marked recording of one speaker.
    public struct Sample: Sendable {
        public var speaker: String
        /// 0 to 10.
        public var mark: Double
        public var sound: MeasuredSound

        public init(speaker: String, mark: Double, sound: MeasuredSound) {
            self.speaker = speaker
            self.mark = mark
            self.sound = sound
        }
    }

    /// The names of the features in the fit.
    public static let featureNames = ["spectralTempo", "peakRate", "voiceGaps", "pitchBend"]
    /// The names of the features in a fit to recordings whose phones were heard.
    public static let namesWithPhones = ["spectralTempo", "pitchBend", "phoneRate", "phoneClarity"]
    /// The names of the features in a fit to recordings of known texts.
    public static let namesOfReading = namesWithPhones + ["phoneDistance"]
    /// The names of all features that a calibration may use, including those of earlier fits.
    public static let measuredNames = featureNames + ["phoneRate", "phoneClarity", "syllableRate"]
    /// The strength of the penalty on weights (ridge's α). It hardly matters with hundreds of recordings, and is strong
    /// enough with a dozen.
    private static let ridge = 5.0
    /// The boundaries between the three values of `DeliveryWord`, on the markers' scale of 0 to 10. With these cuts the
    /// word is right for 70 % of single sentences, or for 77 % if phones were heard (docs/results.md).
    public static let cuts = [6.5, 8.2]
    /// The minimum for a fit. Fewer say nothing about other speakers.
    public static let (leastSpeakers, leastSamples) = (10, 100)

    /// The samples that have every feature.
    public let samples: [Sample]
    private let names: [String]

    /// - Parameter names: the names of the features to fit.
    public init(_ samples: [Sample], features names: [String] = featureNames) {
        self.names = names
        self.samples = samples.filter { sample in names.allSatisfy { sample.sound.features[$0] != nil } }
    }

    /// Whether there is enough to fit to: 10 speakers and 100 recordings.
    public var isEnough: Bool {
        samples.count >= Self.leastSamples && Set(samples.map(\.speaker)).count >= Self.leastSpeakers
    }

    /// Returns the calibration that fits the samples.
    ///
    /// - Parameters:
    ///   - name: the name of the calibration, before its digest is known.
    ///   - corpus: the source of the samples, in a sentence.
    /// - Precondition: there is at least one sample.
    public func calibration(named name: String, corpus: String) -> DeliveryCalibration {
        let marks = samples.map(\.mark)
        let mean = marks.reduce(0, +) / Double(marks.count)
        var features = names.map { name -> DeliveryCalibration.Feature in
            let values = samples.map { $0.sound.features[name]! }.sorted()
            let (low, high) = (Self.quantile(values, 0.02), Self.quantile(values, 0.98))
            let kept = values.map { min(max($0, low), high) }
            let mean = kept.reduce(0, +) / Double(kept.count)
            let variance = kept.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(kept.count)
            return .init(
                name: name, low: low, high: high, mean: mean, deviation: max(variance.squareRoot(), 1e-9), weight: 0)
        }
        let rows = samples.map { sample in
            features.map { feature in
                (min(max(sample.sound.features[feature.name]!, feature.low), feature.high) - feature.mean)
                    / feature.deviation
            }
        }
        let weights = Self.solve(rows, marks.map { $0 - mean })
        for index in features.indices { features[index].weight = weights[index] }
        var calibration = DeliveryCalibration(
            id: name, corpus: corpus, speakers: Set(samples.map(\.speaker)).count, sentences: samples.count,
            intercept: mean, features: features, cuts: Self.cuts, speakerVariance: 0, secondVariance: 0)
        let predicted = samples.map { calibration.index(of: $0.sound.features)! }
        (calibration.speakerVariance, calibration.secondVariance) = variances(predicted)
        return calibration.rounded
    }

    /// Returns the index of each sample, in the samples' order. Each index comes from a calibration that was fitted
    /// without the sample's speaker. The published accuracy is computed from these indices.
    ///
    /// - Parameter folds: the number of groups into which the speakers are divided, in the order of their names.
    public func heldOut(folds: Int = 8) -> [Double] {
        let fold = foldsBySpeaker(folds)
        let calibrations = (0..<min(folds, fold.count)).map { number in
            CalibrationFit(samples.filter { fold[$0.speaker] != number }, features: names).calibration(
                named: "", corpus: "")
        }
        return samples.map { calibrations[fold[$0.speaker]!].index(of: $0.sound.features)! }
    }

    /// Returns the number of each speaker's group, in the order of their names.
    func foldsBySpeaker(_ folds: Int) -> [String: Int] {
        let speakers = Set(samples.map(\.speaker)).sorted()
        return Dictionary(uniqueKeysWithValues: speakers.enumerated().map { ($1, $0 % folds) })
    }

    /// Returns the variance of mean indices between speakers, and the variance around these for one second of speech.
    private func variances(_ predicted: [Double]) -> (speakers: Double, second: Double) {
        let bySpeaker = Dictionary(grouping: samples.indices) { samples[$0].speaker }.values.filter { $0.count > 1 }
        guard bySpeaker.count > 1 else { return (0, 0) }
        var (within, count) = (0.0, 0)
        var means: [Double] = []
        for rows in bySpeaker {
            let mean = rows.reduce(0) { $0 + predicted[$1] } / Double(rows.count)
            means.append(mean)
            for row in rows {
                let seconds = DeliveryMeasures(samples[row].sound.timeline, latency: nil).speech
                within += (predicted[row] - mean) * (predicted[row] - mean) * seconds
            }
            count += rows.count - 1
        }
        let mean = means.reduce(0, +) / Double(means.count)
        let between = means.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(means.count - 1)
        return (between, within / Double(count))
    }

    private static func quantile(_ sorted: [Double], _ share: Double) -> Double {
        let at = share * Double(sorted.count - 1)
        let low = Int(at)
        return sorted[low] + (sorted[min(low + 1, sorted.count - 1)] - sorted[low]) * (at - Double(low))
    }

    /// Returns the weights w that minimize (rows·w − values)² + α w², by Gaussian elimination.
    private static func solve(_ rows: [[Double]], _ values: [Double]) -> [Double] {
        let count = rows[0].count
        var matrix = (0..<count).map { i in
            (0..<count).map { j in rows.reduce(0) { $0 + $1[i] * $1[j] } + (i == j ? ridge : 0) }
                + [zip(rows, values).reduce(0) { $0 + $1.0[i] * $1.1 }]
        }
        for pivot in 0..<count {
            // With the ridge, no pivot is zero.
            for row in 0..<count where row != pivot {
                let factor = matrix[row][pivot] / matrix[pivot][pivot]
                for column in pivot...count { matrix[row][column] -= factor * matrix[pivot][column] }
            }
        }
        return (0..<count).map { matrix[$0][count] / matrix[$0][$0] }
    }
}

extension DeliveryCalibration {
    /// The calibration with four decimal places, so that its file holds exactly the values in use.
    fileprivate var rounded: DeliveryCalibration {
        func short(_ value: Double) -> Double { (value * 10_000).rounded() / 10_000 }
        var copy = self
        copy.intercept = short(intercept)
        copy.speakerVariance = short(speakerVariance)
        copy.secondVariance = short(secondVariance)
        copy.features = features.map {
            .init(
                name: $0.name, low: short($0.low), high: short($0.high), mean: short($0.mean),
                deviation: max(short($0.deviation), 0.0001), weight: short($0.weight))
        }
        return copy
    }
}
