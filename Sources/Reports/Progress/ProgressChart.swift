public import Assessment

/// A picture of a learner's exams from left to right: a panel for the estimate and one for each measure.
///
/// ```swift
/// let exams: [ProgressExam] = []
/// let picture = ProgressChart(exams, title: "ielts-style").svg
/// print(picture.count, "characters of SVG")
/// ```
/// The same exams give the same bytes. No panel says which direction is better.
public struct ProgressChart: Sendable {
    /// The panels that have something to show. The page and a report arrange them by themselves.
    public let panels: [ProgressPanel]
    private let exams: [ProgressExam]
    private let title: String

    /// Creates a chart.
    ///
    /// - Parameters:
    ///   - exams: any number of exams of one format, the oldest first.
    ///   - wanted: the band that the learner wants. It is drawn into estimates in bands.
    public init(_ exams: [ProgressExam], title: String, wanted: Double? = nil) {
        self.exams = exams
        self.title = title
        let estimates = ProgressPanel(estimatesOf: exams, wanted: wanted)
        panels = [estimates].compactMap(\.self) + ProgressMeasure.allCases.compactMap { ProgressPanel($0, of: exams) }
    }

    /// A sentence below the chart that explains its marks.
    public static let key =
        "Exams from left to right. A line through a point is its error: how far the value may be off by the choice of "
        + "questions. A hollow point was not judged: too short, noisy or incomplete."

    private static let top = 62.0
    private static let gap = (x: 24.0, y: 14.0)

    /// The chart as an SVG document with a title and a description in words.
    public var svg: String {
        let rows = Double((panels.count + 1) / 2)
        let width = 2 * ProgressPanel.width + 3 * Self.gap.x
        let height = Self.top + rows * (ProgressPanel.height + Self.gap.y) + 10
        var svg = SVG()
        svg.add("rect", ["width": width.svg, "height": height.svg, "fill": "#fff"])
        svg.add("text", ["x": Self.gap.x.svg, "y": "26", "font-size": "16"], text: "Progress: \(title)")
        let half = Self.key.prefix { $0 != ":" }
        svg.add("text", ["x": Self.gap.x.svg, "y": "44", "font-size": "11"], text: half + ":")
        svg.add(
            "text", ["x": Self.gap.x.svg, "y": "58", "font-size": "11"],
            text: String(Self.key.dropFirst(half.count + 2)))
        for (index, panel) in panels.enumerated() {
            let x = Self.gap.x + Double(index % 2) * (ProgressPanel.width + Self.gap.x)
            let y = Self.top + Double(index / 2) * (ProgressPanel.height + Self.gap.y)
            svg.group(["transform": "translate(\(x.svg) \(y.svg))", "color": "#222"]) { panel.draw(into: &$0) }
        }
        return svg.document(width: width, height: height, words: ("Progress: \(title)", words))
    }

    /// A description of the chart for screen readers.
    private var words: String {
        guard let first = exams.first, let last = exams.last else { return "There are no exams yet." }
        return "\(exams.count.counted("exam")), \(first.day) to \(last.day). "
            + panels.map(\.words).joined(separator: " ")
    }
}
