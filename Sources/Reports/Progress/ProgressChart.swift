public import Assessment

/// A picture of a learner's measures from exam to exam, with a panel for each measure and the exams from left to right.
///
/// ```swift
/// let exams: [EarlierExam] = []
/// let picture = ProgressChart(exams, title: "ielts-style").svg
/// print(picture.count, "characters of SVG")
/// ```
/// The same exams give the same bytes. Exams stand at equal distances, because the number of exams matters more than
/// the time between them. Their dates are below. No panel says which direction is better.
public struct ProgressChart: Sendable {
    private let exams: [EarlierExam]
    private let title: String

    /// Creates a chart.
    ///
    /// - Parameter exams: any number of exams, the oldest first.
    public init(_ exams: [EarlierExam], title: String) {
        self.exams = exams
        self.title = title
    }

    private static let width = 760.0
    private static let panelHeight = 86.0
    private static let gap = 34.0
    private static let top = 64.0
    private static let plot = (first: 70.0, last: 740.0)

    private var height: Double {
        Self.top + Double(ProgressMeasure.allCases.count) * (Self.panelHeight + Self.gap) + 30
    }

    /// The chart as an SVG document with a title and a description in words.
    public var svg: String {
        var svg = SVG()
        svg.add("rect", ["width": Self.width.svg, "height": height.svg, "fill": "#fff"])
        svg.add("text", ["x": "20", "y": "26", "font-size": "16"], text: "Progress: \(title)")
        svg.add(
            "text", ["x": "20", "y": "46", "fill": "#555"],
            text: "Exams from left to right. A hollow point was not judged: too short, noisy or incomplete.")
        var y = Self.top
        for measure in ProgressMeasure.allCases {
            y += Self.gap
            draw(measure, top: y, into: &svg)
            y += Self.panelHeight
        }
        drawDates(below: y, into: &svg)
        return svg.document(width: Self.width, height: height, words: ("Progress: \(title)", words))
    }

    /// A description of the chart for screen readers.
    private var words: String {
        guard let first = exams.first, let last = exams.last else { return "There are no exams yet." }
        let changes = ProgressMeasure.allCases.compactMap { measure -> String? in
            guard let from = measure.value(first.delivery), let to = measure.value(last.delivery) else { return nil }
            return "\(measure.name) from \(from.figure(measure.digits)) to \(to.figure(measure.digits)) \(measure.unit)"
        }
        return "\(exams.count.counted("exam")), \(first.day) to \(last.day): \(changes.joined(separator: "; "))."
    }

    // MARK: - Panels

    private func x(_ index: Int) -> Double {
        let (first, last) = (Self.plot.first + 20, Self.plot.last - 20)
        return exams.count < 2 ? (first + last) / 2 : first + (last - first) * Double(index) / Double(exams.count - 1)
    }

    private func draw(_ measure: ProgressMeasure, top: Double, into svg: inout SVG) {
        let values = exams.map { measure.value($0.delivery) }
        let greatest = measure == .phonationTimeRatio ? 100 : Self.roundAbove(values.compactMap(\.self).max() ?? 0)
        let bottom = top + Self.panelHeight
        func y(_ value: Double) -> Double { bottom - min(max(value / greatest, 0), 1) * Self.panelHeight }
        svg.add(
            "text", ["x": Self.plot.first.svg, "y": (top - 8).svg, "font-weight": "bold"],
            text: "\(measure.name), \(measure.unit)")
        for value in [0, greatest / 2, greatest] {
            svg.add(
                "line",
                [
                    "x1": Self.plot.first.svg, "x2": Self.plot.last.svg, "y1": y(value).svg, "y2": y(value).svg,
                    "stroke": "#ddd",
                ])
            svg.add(
                "text",
                ["x": (Self.plot.first - 8).svg, "y": (y(value) + 4).svg, "text-anchor": "end", "fill": "#555"],
                text: value.figure(greatest < 10 ? 1 : 0))
        }
        if measure == .speechRate, greatest > 3.3 { drawPlateau(at: y(3.3), into: &svg) }
        drawLine(values, y, into: &svg)
        for (index, value) in values.enumerated() {
            guard let value else { continue }
            let delivery = exams[index].delivery
            svg.add(
                "circle",
                [
                    "cx": x(index).svg, "cy": y(value).svg, "r": "4", "stroke": "#1d4ed8", "stroke-width": "2",
                    "fill": delivery.word == nil ? "#fff" : "#1d4ed8",
                ],
                title: "\(exams[index].day): \(value.figure(measure.digits)) \(measure.unit)"
                    + (delivery.word.map { ", \($0.rawValue)" } ?? ", not judged"))
        }
    }

    /// Draws lines between neighbouring exams with a known measure. An exam without one interrupts the line.
    private func drawLine(_ values: [Double?], _ y: (Double) -> Double, into svg: inout SVG) {
        var path = SVGPath()
        var wasKnown = false
        for (index, value) in values.enumerated() {
            if let value {
                if wasKnown { path.line(x(index), y(value)) } else { path.move(x(index), y(value)) }
            }
            wasKnown = value != nil
        }
        if !path.data.isEmpty { svg.add("path", ["d": path.data, "fill": "none", "stroke": "#1d4ed8"]) }
    }

    private func drawPlateau(at y: Double, into svg: inout SVG) {
        svg.add(
            "line",
            [
                "x1": Self.plot.first.svg, "x2": Self.plot.last.svg, "y1": y.svg, "y2": y.svg, "stroke": "#888",
                "stroke-dasharray": "4 3",
            ])
        svg.add(
            "text",
            ["x": Self.plot.last.svg, "y": (y - 4).svg, "text-anchor": "end", "fill": "#555", "font-size": "11"],
            text: "above 3.3, more speed brings nothing")
    }

    /// Draws as many dates as there is room for, always including the last.
    private func drawDates(below y: Double, into svg: inout SVG) {
        let step = max(1, (exams.count + 7) / 8)
        for index in exams.indices where (exams.count - 1 - index) % step == 0 {
            svg.add(
                "text", ["x": x(index).svg, "y": (y + 20).svg, "text-anchor": "middle", "fill": "#555"],
                text: exams[index].day)
        }
    }

    /// Returns the nearest number at or above the value that is 1, 2 or 5 times a power of ten.
    private static func roundAbove(_ value: Double) -> Double {
        guard value.isFinite, value > 0 else { return 1 }
        var power = 1.0
        while power * 10 <= value { power *= 10 }
        while power > value { power /= 10 }
        return [1, 2, 5, 10].map { $0 * power }.first { $0 >= value } ?? 10 * power
    }
}

extension EarlierExam {
    /// For example, `2026-11-20`.
    package var day: String { String(startedAt.prefix(10)) }
}
