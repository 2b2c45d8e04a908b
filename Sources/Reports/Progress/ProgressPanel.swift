import Assessment

/// A drawing of one measure, or of the estimate, over a learner's exams: one panel of a chart.
///
/// The panel is wide enough to be read on a phone. Pages set its colours by its classes: `line`, `point`, `hollow`,
/// `error` and `grid`; text has the page's own colour.
public struct ProgressPanel: Sendable {
    /// The panel's name in files and on the wire: `estimate`, or the measure's name.
    public let id: String
    /// The title for people, with the unit: `speech rate, syllables a second`.
    public let title: String
    /// The drawing in words, for screen readers.
    public let words: String
    private let days: [String]
    private let marks: [Mark?]
    private let top: Double
    private let digits: Int
    private let lines: [(value: Double, text: String)]

    /// The content of a panel for one exam.
    private struct Mark: Sendable {
        /// Nil for a range without a value.
        var value: Double?
        /// Nil if the error is unknown.
        var range: ClosedRange<Double>?
        var isJudged = true
        var title: String
    }

    static let (width, height) = (360.0, 172.0)
    private static let plot = (left: 46.0, right: 350.0, top: 30.0, bottom: 140.0)

    // MARK: - Contents

    /// Creates the panel of a measure. Nil if no exam has it.
    init?(_ measure: ProgressMeasure, of exams: [ProgressExam]) {
        let values = exams.map { $0.values[measure] }
        guard values.contains(where: { $0 != nil }) else { return nil }
        id = measure.rawValue
        title = "\(measure.name), \(measure.unit)"
        digits = measure.digits
        days = exams.map(\.day)
        marks = zip(exams, values).map { exam, value in
            value.map { value in
                let error = value.error.map { " ± \(max($0, measure.leastError).figure(measure.digits))" } ?? ""
                let word = exam.delivery.word?.rawValue ?? "not judged"
                return Mark(
                    value: value.value, range: value.error == nil ? nil : value.range,
                    isJudged: exam.delivery.word != nil,
                    title: "\(exam.day): \(value.value.figure(measure.digits))\(error) \(measure.unit), \(word)")
            }
        }
        top =
            measure == .phonationTimeRatio
            ? 100 : Self.roundAbove(marks.compactMap { $0?.range?.upperBound ?? $0?.value }.max() ?? 0)
        lines = measure == .speechRate && top > 3.3 ? [(3.3, "above 3.3, more speed brings nothing")] : []
        let change = exams.changes.first { $0.measure == measure }?.sentence
        words = change ?? marks.compactMap { $0?.title }.last ?? ""
    }

    /// Creates the panel of the estimate: a range for each exam. Nil if no exam has one.
    ///
    /// - Parameter wanted: the band that the learner wants.
    init?(estimatesOf exams: [ProgressExam], wanted: Double?) {
        guard let (shown, before, all) = exams.estimates else { return nil }
        let isBand = shown.scale == .band
        id = "estimate"
        title = isBand ? "estimate, \(shown.title), bands" : "estimate, \(shown.title)"
        digits = 0
        days = exams.map(\.day)
        marks = zip(exams, all).map { exam, estimate in
            estimate.map { estimate in
                let range = estimate.counted
                return Mark(range: range.low...range.high, title: "\(exam.day): \(range.inWords)")
            }
        }
        top = shown.scale.top
        lines = isBand ? wanted.map { [($0, "wanted: \($0.figure($0.rounded() == $0 ? 0 : 1))")] } ?? [] : []
        words = "estimate: \(shown.words)\(before.map { ", before \($0.words)" } ?? "")."
    }

    /// Returns the nearest number at or above the value that is 1, 2 or 5 times a power of ten.
    private static func roundAbove(_ value: Double) -> Double {
        guard value.isFinite, value > 0 else { return 1 }
        var power = 1.0
        while power * 10 <= value { power *= 10 }
        while power > value { power /= 10 }
        return [1, 2, 5, 10].map { $0 * power }.first { $0 >= value } ?? 10 * power
    }

    // MARK: - Drawing

    /// The panel as an SVG element for a page, without an XML declaration. The same exams give the same bytes.
    public var svg: String {
        var svg = SVG()
        draw(into: &svg)
        return svg.element(width: Self.width, height: Self.height, words: (title, words))
    }

    /// Exams stand at equal distances, because the number of exams matters more than the time between them.
    private func x(_ index: Int) -> Double {
        let (first, last) = (Self.plot.left + 16, Self.plot.right - 16)
        return marks.count < 2 ? (first + last) / 2 : first + (last - first) * Double(index) / Double(marks.count - 1)
    }

    private func y(_ value: Double) -> Double {
        Self.plot.bottom - min(max(value / top, 0), 1) * (Self.plot.bottom - Self.plot.top)
    }

    func draw(into svg: inout SVG) {
        svg.add("text", ["x": "4", "y": "16", "font-weight": "bold", "fill": "currentColor"], text: title)
        for value in [0, top / 2, top] {
            level(value, stroke: "#bbb", into: &svg)
            svg.add(
                "text",
                [
                    "x": (Self.plot.left - 6).svg, "y": (y(value) + 4).svg, "text-anchor": "end",
                    "fill": "currentColor",
                ],
                text: value.figure(top < 10 ? 1 : 0))
        }
        for line in lines {
            level(line.value, stroke: "#555", dashes: "4 3", into: &svg)
            svg.add(
                "text",
                [
                    "x": Self.plot.right.svg, "y": (y(line.value) - 4).svg, "text-anchor": "end",
                    "fill": "currentColor", "font-size": "11",
                ], text: line.text)
        }
        drawLine(into: &svg)
        for (index, mark) in marks.enumerated() {
            guard let mark else { continue }
            draw(mark, at: x(index), into: &svg)
        }
        drawDays(into: &svg)
    }

    private func level(_ value: Double, stroke: String, dashes: String = "none", into svg: inout SVG) {
        svg.add(
            "line",
            [
                "class": "grid", "x1": Self.plot.left.svg, "x2": Self.plot.right.svg, "y1": y(value).svg,
                "y2": y(value).svg, "stroke": stroke, "stroke-dasharray": dashes,
            ])
    }

    /// Draws lines between neighbouring exams with a value. An exam without one interrupts the line.
    private func drawLine(into svg: inout SVG) {
        var path = SVGPath()
        var wasKnown = false
        for (index, mark) in marks.enumerated() {
            if let value = mark?.value {
                if wasKnown { path.line(x(index), y(value)) } else { path.move(x(index), y(value)) }
            }
            wasKnown = mark?.value != nil
        }
        if !path.data.isEmpty {
            svg.add("path", ["class": "line", "d": path.data, "fill": "none", "stroke": "#1d4ed8"])
        }
    }

    private func draw(_ mark: Mark, at x: Double, into svg: inout SVG) {
        if let range = mark.range {
            var path = SVGPath()
            path.move(x, y(range.lowerBound))
            path.vertical(to: y(range.upperBound))
            let isRange = mark.value == nil
            svg.add(
                "path",
                [
                    "class": isRange ? "range" : "error", "d": path.data, "fill": "none", "stroke": "#1d4ed8",
                    "stroke-width": isRange ? "8" : "2", "stroke-opacity": isRange ? "1" : "0.45",
                    "stroke-linecap": isRange ? "round" : "butt",
                ], title: isRange ? mark.title : "")
        }
        guard let value = mark.value else { return }
        svg.add(
            "circle",
            [
                "class": mark.isJudged ? "point" : "hollow", "cx": x.svg, "cy": y(value).svg, "r": "3",
                "stroke": "#1d4ed8", "stroke-width": "2", "fill": mark.isJudged ? "#1d4ed8" : "#fff",
            ], title: mark.title)
    }

    /// Draws as many days as there is room for, always including the last.
    private func drawDays(into svg: inout SVG) {
        let step = max(1, (days.count + 3) / 4)
        for index in days.indices where (days.count - 1 - index) % step == 0 {
            let isLast = index == days.count - 1 && days.count > 1
            svg.add(
                "text",
                [
                    "x": (isLast ? Self.plot.right : x(index)).svg, "y": (Self.plot.bottom + 20).svg,
                    "text-anchor": isLast ? "end" : "middle", "fill": "currentColor", "font-size": "11",
                ], text: days[index])
        }
    }
}
