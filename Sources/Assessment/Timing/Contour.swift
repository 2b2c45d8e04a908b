import Glibc

/// Sums and quantiles over the frames of a recording.
enum Contour {
    /// Returns the value below which this share of the values lies, interpolated as in NumPy's `quantile`. 0 without
    /// values.
    static func quantile(_ values: [Float], _ share: Float) -> Float {
        guard !values.isEmpty else { return 0 }
        let sorted = values.sorted()
        let at = share * Float(sorted.count - 1)
        let low = Int(at)
        let high = min(low + 1, sorted.count - 1)
        return sorted[low] + (sorted[high] - sorted[low]) * (at - Float(low))
    }

    /// Returns the weighted mean of each value and its neighbours. At the ends, weights that fall outside are left out.
    ///
    /// - Parameter weights: an odd number of symmetric weights with the sum 1.
    static func smoothed(_ values: [Float], _ weights: [Float]) -> [Float] {
        let reach = weights.count / 2
        return values.indices.map { index in
            var (sum, weight) = (Float.zero, Float.zero)
            for offset in -reach...reach where values.indices.contains(index + offset) {
                sum += values[index + offset] * weights[offset + reach]
                weight += weights[offset + reach]
            }
            return sum / weight
        }
    }

    /// The inner seven weights of a Hann window of nine, 90 ms: it keeps syllables apart and removes a voice's periods.
    static let seven: [Float] = {
        let raw = (1...7).map { 0.5 - 0.5 * cosf(2 * .pi * Float($0) / 8) }
        let sum = raw.reduce(0, +)
        return raw.map { $0 / sum }
    }()

    /// Returns the runs of `true` as ranges of indices.
    static func runs(_ values: [Bool]) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        var start: Int?
        for (index, value) in values.enumerated() {
            if value, start == nil { start = index }
            if !value, let begun = start {
                runs.append(begun..<index)
                start = nil
            }
        }
        if let begun = start { runs.append(begun..<values.count) }
        return runs
    }

    static func decibels(_ power: Float) -> Float { 10 * log10f(power + 1) }
}
