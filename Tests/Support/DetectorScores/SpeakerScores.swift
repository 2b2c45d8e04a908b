/// How well a detector hears under one condition, speaker by speaker: the figures of all, and how sure they are.
public struct SpeakerScores: Equatable, Sendable {
    public let rules: DetectorScore.Rules
    public private(set) var bySpeaker: [String: DetectorScore] = [:]

    public init(_ rules: DetectorScore.Rules = DetectorScore.Rules()) {
        self.rules = rules
    }

    /// One recording more; a speaker may have several. For the parameters see `DetectorScore.add`.
    public mutating func add(
        speaker: String, labelled: Speech, heard: Speech, declared: [Double]? = nil, duration: Double
    ) {
        bySpeaker[speaker, default: DetectorScore(rules)]
            .add(labelled: labelled, heard: heard, declared: declared, duration: duration)
    }

    /// In the order of their names, so that nothing depends on a dictionary's.
    private var inOrder: [DetectorScore] {
        bySpeaker.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map(\.value)
    }

    /// Of all recordings together.
    public var total: DetectorScore { DetectorScore(of: inOrder, rules) }

    /// Where each figure lies in 95 of 100 draws of as many speakers from these, with repetition: the bootstrap's percentile
    /// interval (B. Efron and R. J. Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 13).
    ///
    /// All recordings of a speaker are drawn together, since they resemble each other. With one seed, detectors that heard the same
    /// speakers are compared on the same draws.
    ///
    /// - Parameters:
    ///   - figures: of a score; nil where it has none, which leaves that draw out.
    ///   - draws: 2,000 leave an interval's ends to chance by about a fiftieth of its width.
    /// - Returns: by figure; nil where no draw has it.
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
    /// In a straight line between two figures, as numpy's; nil of nothing.
    func quantile(_ part: Double) -> Double? {
        guard !isEmpty else { return nil }
        let sorted = sorted()
        let place = part * Double(sorted.count - 1)
        let below = Int(place)
        let above = Swift.min(below + 1, sorted.count - 1)
        return sorted[below] + (sorted[above] - sorted[below]) * (place - Double(below))
    }
}
