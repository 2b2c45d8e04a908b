/// The colours of a level in steps of 5 dB, from the background's for quiet to nearly black for loud.
enum HeatColours {
    /// In dBFS. Quieter sound has no colour.
    static let levels = -80.0 ... -10.0
    static let step = 5.0
    static let count = Int((levels.upperBound - levels.lowerBound) / step)

    /// - Returns: 0 to `count` − 1; nil if the level is too low for a colour.
    static func index(ofLevel level: Double) -> Int? {
        guard level >= levels.lowerBound else { return nil }
        return min(Int((level - levels.lowerBound) / step), count - 1)
    }

    /// Returns the colour for SVG, such as `#fde9c3`.
    static func colour(_ index: Int) -> String {
        let place = Double(index) / Double(count - 1) * Double(stops.count - 1)
        let stop = min(Int(place), stops.count - 2)
        let part = place - Double(stop)
        let mixed = stops[stop] + (stops[stop + 1] - stops[stop]) * part
        return "#"
            + (0..<3).map { channel in
                let value = Int(mixed[channel].rounded())
                return (value < 16 ? "0" : "") + String(value, radix: 16)
            }.joined()
    }

    /// Pale yellow, orange, raspberry, violet, night.
    private static let stops: [SIMD3<Double>] = [
        [254, 246, 222], [253, 208, 140], [244, 140, 86], [208, 66, 100], [122, 32, 122], [30, 12, 62],
    ]
}
