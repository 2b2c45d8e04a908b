import ExamCore

/// The correlation of two lists of numbers, and its uncertainty.
public enum Correlation {
    /// Returns Pearson's r, −1 to 1. Nil for fewer than two numbers, or if one list is constant.
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

    /// Returns Spearman's ρ, −1 to 1: Pearson's r of the ranks. Equal numbers share their rank.
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

    /// Returns the interval that would contain the figure in 95 of 100 cases if other speakers had been chosen. This is
    /// the percentile bootstrap over groups (B. Efron 1979) with 1,000 samples and a fixed seed, so that the result is
    /// reproducible.
    ///
    /// - Parameters:
    ///   - groups: the speaker of each row.
    ///   - figure: computes the figure for some rows, which may repeat.
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
