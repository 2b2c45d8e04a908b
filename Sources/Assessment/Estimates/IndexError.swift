import Glibc

/// The error of a calibration's index for speakers to whom it was not fitted: the difference between people's mark and
/// the index.
///
/// One part belongs to the speaker and stays, however much is heard. The other belongs to the sample, and shrinks with
/// its seconds of speech.
public struct IndexError: Codable, Equatable, Sendable {
    /// The variance of the part that belongs to the speaker.
    public var speakerVariance: Double
    /// The variance of the other part, for one second of speech.
    public var secondVariance: Double

    public init(speakerVariance: Double, secondVariance: Double) {
        self.speakerVariance = speakerVariance
        self.secondVariance = secondVariance
    }

    /// The share of people's marks that a range should contain.
    public static let stated = 0.8
    /// The number of standard deviations on either side of the mean that contain `stated` of a normal distribution.
    private static let deviations = 1.2816

    /// Returns the margin on either side of the index within which people's mark lies in `stated` of cases.
    ///
    /// - Parameter seconds: the seconds of speech, more than 0.
    public func margin(seconds: Double) -> Double {
        Self.deviations * (speakerVariance + secondVariance / seconds).squareRoot()
    }
}

extension CalibrationFit {
    /// Returns the error of indices against the samples' marks. Nil if no speaker has two samples.
    ///
    /// - Parameters:
    ///   - indices: the indices of calibrations that were fitted without the speakers, in the samples' order
    ///     (`heldOut`).
    ///   - rows: the samples to use. Nil for all.
    public func error(of indices: [Double], in rows: [Int]? = nil) -> IndexError? {
        let speakers = Dictionary(grouping: rows ?? Array(samples.indices)) { samples[$0].speaker }
        var (within, freedom) = (0.0, 0)
        var means: [(mean: Double, inverse: Double)] = []
        for own in speakers.values {
            let errors = own.map { samples[$0].mark - indices[$0] }
            let mean = errors.reduce(0, +) / Double(own.count)
            let lengths = own.map { seconds(of: $0) }
            within += zip(errors, lengths).reduce(0) { $0 + ($1.0 - mean) * ($1.0 - mean) * $1.1 }
            freedom += own.count - 1
            // The variance of this mean if one second of speech has a variance of 1.
            means.append((mean, lengths.reduce(0) { $0 + 1 / $1 } / Double(own.count * own.count)))
        }
        guard freedom > 0 else { return nil }
        let second = within / Double(freedom)
        let between = means.reduce(0) { $0 + $1.mean * $1.mean - second * $1.inverse } / Double(means.count)
        return IndexError(speakerVariance: max(between, 0), secondVariance: second)
    }

    /// Returns how often ranges contain people's marks. The width of each fold's ranges comes from the errors of the
    /// other folds.
    ///
    /// - Parameter indices: the indices of calibrations that were fitted without the speakers (`heldOut`).
    /// - Returns: nil if there are too few speakers.
    public func coverage(of indices: [Double], folds: Int = 8) -> RangeCoverage? {
        let fold = foldsBySpeaker(folds)
        guard Set(fold.values).count > 1 else { return nil }
        var (single, together) = (Held(), Held())
        for number in Set(fold.values).sorted() {
            let others = samples.indices.filter { fold[samples[$0].speaker] != number }
            guard let error = error(of: indices, in: others) else { return nil }
            let own = samples.indices.filter { fold[samples[$0].speaker] == number }
            for row in own { single.add(indices[row], samples[row].mark, error.margin(seconds: seconds(of: row))) }
            for rows in Dictionary(grouping: own, by: { samples[$0].speaker }).values {
                func mean(_ value: (Int) -> Double) -> Double { rows.reduce(0) { $0 + value($1) } / Double(rows.count) }
                together.add(
                    mean { indices[$0] }, mean { samples[$0].mark },
                    error.margin(seconds: rows.reduce(0) { $0 + seconds(of: $1) }))
            }
        }
        return RangeCoverage(
            stated: IndexError.stated, samples: single.share, samplesWidth: single.width, speakers: together.share,
            speakersWidth: together.width)
    }

    /// The seconds of speech in a sample. A sample without speech counts as a tenth of a second.
    private func seconds(of row: Int) -> Double {
        max(DeliveryMeasures(samples[row].sound.timeline, latency: nil).speech, 0.1)
    }

    private struct Held {
        private var (held, count, widths) = (0, 0, 0.0)

        mutating func add(_ index: Double, _ mark: Double, _ margin: Double) {
            held += abs(mark - index) <= margin ? 1 : 0
            count += 1
            widths += 2 * margin
        }

        var share: Double { Double(held) / Double(max(count, 1)) }
        var width: Double { widths / Double(max(count, 1)) }
    }
}

/// The share of ranges that contained people's marks. Neither the index nor the width of the ranges was fitted to these
/// speakers.
public struct RangeCoverage: Codable, Equatable, Sendable {
    /// The share of marks that ranges should contain.
    public var stated: Double
    /// The share of single recordings whose mark was within its range.
    public var samples: Double
    /// The mean width of these ranges, in marks.
    public var samplesWidth: Double
    /// The share of speakers whose mean mark was within the range of all their recordings.
    public var speakers: Double
    public var speakersWidth: Double
}
