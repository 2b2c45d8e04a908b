import ExamCore

/// How two lists of numbers go together, and how sure that is.
public enum Correlation {
    /// Pearson's r, −1 … 1; nil for fewer than two numbers, or where one side never changes.
    public static func pearson(_ a: [Double], _ b: [Double]) -> Double? {
        precondition(a.count == b.count)
        guard a.count > 1 else { return nil }
        let count = Double(a.count)
        let (meanA, meanB) = (a.reduce(0, +) / count, b.reduce(0, +) / count)
        var (ab, aa, bb) = (0.0, 0.0, 0.0)
        for (x, y) in zip(a, b) {
            ab += (x - meanA) * (y - meanB)
            aa += (x - meanA) * (x - meanA)
            bb += (y - meanB) * (y - meanB)
        }
        return aa > 0 && bb > 0 ? ab / (aa * bb).squareRoot() : nil
    }

    /// Spearman's ρ, −1 … 1: Pearson's of the ranks, equal numbers sharing theirs.
    public static func spearman(_ a: [Double], _ b: [Double]) -> Double? { pearson(ranks(a), ranks(b)) }

    static func ranks(_ values: [Double]) -> [Double] {
        let order = values.indices.sorted { values[$0] < values[$1] }
        var ranks = [Double](repeating: 0, count: values.count)
        var start = 0
        while start < order.count {
            var end = start
            while end + 1 < order.count, values[order[end + 1]] == values[order[start]] { end += 1 }
            for place in start...end { ranks[order[place]] = Double(start + end) / 2 }
            start = end + 1
        }
        return ranks
    }

    /// Where a figure lies 95 times in a hundred if other speakers had been asked: the percentile bootstrap over groups (B. Efron 1979), 1,000
    /// times, by a seed of its own, so that it says the same each time.
    ///
    /// - Parameters:
    ///   - groups: of each row, its speaker.
    ///   - figure: of rows, some of them more than once.
    public static func interval(groups: [String], of figure: ([Int]) -> Double?) -> ClosedRange<Double>? {
        let members = Dictionary(grouping: groups.indices) { groups[$0] }
        let names = members.keys.sorted()
        guard names.count > 1 else { return nil }
        var random = SplitMix64(seed: 1)
        let figures = (0..<1_000).compactMap { _ in
            figure(names.flatMap { _ in members[names[Int(random.next() % UInt64(names.count))]]! })
        }.sorted()
        guard figures.count >= 100 else { return nil }
        return figures[figures.count / 40]...figures[figures.count - 1 - figures.count / 40]
    }
}
