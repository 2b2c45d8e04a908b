/// Maps values to positions in a picture.
struct Scale {
    let values: ClosedRange<Double>
    /// The coordinates of the least and of the greatest value.
    let first: Double
    let last: Double

    init(_ values: ClosedRange<Double>, from first: Double, to last: Double) {
        self.values = values
        self.first = first
        self.last = last
    }

    /// Returns the position of a value. A value beyond the scale is drawn at its end, and NaN at its beginning.
    func callAsFunction(_ value: Double) -> Double {
        guard value > values.lowerBound else { return first }
        let part = (value - values.lowerBound) / (values.upperBound - values.lowerBound)
        return first + min(part, 1) * (last - first)
    }

    /// Returns the multiples of a step on the scale.
    func ticks(every step: Double) -> [Double] {
        let first = (values.lowerBound / step - 1e-9).rounded(.up)
        let last = (values.upperBound / step + 1e-9).rounded(.down)
        return first > last ? [] : (Int(first)...Int(last)).map { Double($0) * step }
    }
}

/// The ticks of a time axis, in seconds, or in minutes if there would be too many.
struct TimeTicks {
    let step: Double
    let title: String
    private let hasMinutes: Bool

    /// - Parameter span: The length of the axis in seconds.
    init(span: Double) {
        let steps = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1_200, 1_800]
        step = steps.first { span / $0 <= 16 } ?? (span / 16 / 3_600).rounded(.up) * 3_600
        hasMinutes = span > 180
        title = hasMinutes ? "min:s" : "s"
    }

    func text(_ seconds: Double) -> String {
        if hasMinutes {
            let whole = Int(seconds.rounded())
            return "\(whole / 60):" + (whole % 60 < 10 ? "0" : "") + "\(whole % 60)"
        }
        let hundredths = Int((seconds * 100).rounded())
        if step >= 1 { return "\(hundredths / 100)" }
        if step >= 0.1 { return seconds.tenths }
        return "\(hundredths / 100)." + (hundredths % 100 < 10 ? "0" : "") + "\(hundredths % 100)"
    }
}
