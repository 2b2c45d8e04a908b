/// The scores of a detector under one condition by speaker, with totals and confidence intervals.
public struct SpeakerScores: Equatable, Sendable {
    public let rules: DetectorScore.Rules
    public private(set) var bySpeaker: [String: DetectorScore] = [:]

    public init(_ rules: DetectorScore.Rules = DetectorScore.Rules()) {
        self.rules = rules
    }

    /// Adds one recording. A speaker may have several. For the parameters see `DetectorScore.add`.
    public mutating func add(
        speaker: String, labelled: Speech, heard: Speech, declared: [Double]? = nil, duration: Double
    ) {
        bySpeaker[speaker, default: DetectorScore(rules)]
            .add(labelled: labelled, heard: heard, declared: declared, duration: duration)
    }

    /// The scores in the order of the names, so that nothing depends on a dictionary's order.
    private var inOrder: [DetectorScore] {
        bySpeaker.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map(\.value)
    }

    /// The score of all recordings together.
    public var total: DetectorScore { DetectorScore(of: inOrder, rules) }

    /// Returns the interval of each figure in 95 of 100 draws of equally many speakers with replacement: the percentile
    /// interval of the bootstrap (B. Efron and R. J. Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 13).
    ///
    /// All recordings of a speaker are drawn together, because they are similar. With the same seed, detectors that
    /// heard the same speakers are compared on the same draws.
    ///
    /// - Parameters:
    ///   - figures: Return the figures of a score; nil leaves out the draw.
    ///   - draws: With 2,000, the ends of an interval vary by about a fiftieth of its width.
    /// - Returns: The intervals by figure; nil if no draw has the figure.
    public func intervals(
        of figures: [(DetectorScore) -> Double?], draws: Int = 2_000, seed: UInt64 = 1
    ) -> [ClosedRange<Double>?] {
        let speakers = inOrder
        guard !speakers.isEmpty else { return figures.map { _ in nil } }
        var chance = Chance(seed: seed)
        var drawn: [[Double]] = figures.map { _ in [] }
        for _ in 0..<draws {
            let group = speakers.map { _ in speakers[Int.random(in: speakers.indices, using: &chance)] }
            let score = DetectorScore(of: group, rules)
            for (index, figure) in figures.enumerated() {
                if let figure = figure(score) { drawn[index].append(figure) }
            }
        }
        return drawn.map { figures in
            guard let low = figures.quantile(0.025), let high = figures.quantile(0.975) else { return nil }
            return low...high
        }
    }
}

extension [Double] {
    /// Returns a quantile with linear interpolation, like numpy; nil if there are no figures.
    func quantile(_ part: Double) -> Double? {
        guard !isEmpty else { return nil }
        let sorted = sorted()
        let place = part * Double(sorted.count - 1)
        let below = Int(place)
        let above = Swift.min(below + 1, sorted.count - 1)
        return sorted[below] + (sorted[above] - sorted[below]) * (place - Double(below))
    }
}
