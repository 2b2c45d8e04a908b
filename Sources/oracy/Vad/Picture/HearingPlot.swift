import ExamCore
import Reports

/// A picture of the sounds in a recording and of the detector's decisions: panels over a common time axis.
///
/// It has its own background, so that it looks the same on light and dark pages. Its size is bounded at 1200 columns,
/// however long the recording is.
struct HearingPlot {
    /// A moment with its reason: a line through all panels with text above them.
    struct Mark: Equatable {
        var atSeconds: Double
        var text: String
    }

    /// A sound that turned out not to be speech. It is hatched.
    struct Dismissed: Equatable {
        var seconds: Range<Double>
        var text: String
    }

    let file: HeardFile
    let trace: HearingTrace
    let marks: [Mark]
    let dismissed: [Dismissed]

    init(_ file: HeardFile, _ trace: HearingTrace, marks: [Mark], dismissed: [Dismissed]) {
        self.file = file
        self.trace = trace
        self.marks = marks
        self.dismissed = dismissed
    }

    var svg: String {
        var svg = SVG()
        let time = Scale(0...max(file.duration.inSeconds, 0.01), from: Layout.left, to: Layout.right)
        let notes = PlotNotes(marks, dismissed, time)
        let panels = Panel.Kind.stacked(below: Layout.header + notes.height)
        let height = panels.last!.bottom + Layout.footer

        svg.add("title", [:], text: "\(file.name): \(file.totals)")
        svg.add("rect", ["width": Layout.width.svg, "height": height.svg, "rx": "6", "fill": Ink.paper])
        svg.add(
            "text", ["x": Layout.left.svg, "y": "30", "font-size": "17", "font-weight": "bold", "fill": Ink.text],
            text: file.name.shortened(to: 90))
        svg.add("text", ["x": Layout.left.svg, "y": "50", "fill": Ink.quiet], text: file.totals)

        let body = panels[0].top...panels.last!.bottom
        drawTimeAxis(time, body, into: &svg)
        drawSpeech(time, body, into: &svg)
        for panel in panels { draw(panel, time, into: &svg) }
        drawDismissed(time, panels, into: &svg)
        notes.drawLines(top: Layout.header, through: body, into: &svg)
        // Texts come last, with an outline in the colour of the paper, so that no line runs through them.
        svg.group(["stroke": Ink.paper, "stroke-width": "4", "stroke-linejoin": "round", "paint-order": "stroke"]) {
            for panel in panels { head(panel, into: &$0) }
            notes.drawTexts(top: Layout.header, into: &$0)
        }
        return svg.document(width: Layout.width, height: height)
    }

    private func drawTimeAxis(_ time: Scale, _ body: ClosedRange<Double>, into svg: inout SVG) {
        let ticks = TimeTicks(span: time.values.upperBound)
        var lines = SVGPath()
        for tick in time.ticks(every: ticks.step) {
            lines.move(time(tick), body.lowerBound)
            lines.vertical(to: body.upperBound + 5)
        }
        svg.add("path", ["d": lines.data, "stroke": Ink.grid, "fill": "none"])
        svg.group(["fill": Ink.quiet, "text-anchor": "middle"]) { svg in
            let baseline = (body.upperBound + 20).svg
            for tick in time.ticks(every: ticks.step) {
                svg.add("text", ["x": time(tick).svg, "y": baseline], text: ticks.text(tick))
            }
            svg.add("text", ["x": (Layout.left - 22).svg, "y": baseline, "text-anchor": "end"], text: ticks.title)
        }
    }

    private func drawSpeech(_ time: Scale, _ body: ClosedRange<Double>, into svg: inout SVG) {
        guard !file.segments.isEmpty else { return }
        var path = SVGPath()
        for segment in file.segments {
            path.rectangle(time(segment.start.inSeconds)...time(segment.end.inSeconds), body)
        }
        svg.add("path", ["d": path.data, "fill": Ink.speech, "fill-opacity": "0.16"])
    }

    private func drawDismissed(_ time: Scale, _ panels: [Panel], into svg: inout SVG) {
        guard !dismissed.isEmpty else { return }
        svg.group(
            [
                "id": "hatching", "width": "6", "height": "6", "patternUnits": "userSpaceOnUse",
                "patternTransform": "rotate(45)",
            ], "pattern"
        ) { $0.add("rect", ["width": "1.5", "height": "6", "fill": Ink.dismissed]) }
        for sound in dismissed {
            var path = SVGPath()
            for panel in panels {
                path.rectangle(
                    time(sound.seconds.lowerBound)...time(sound.seconds.upperBound), panel.top...panel.bottom)
            }
            svg.add("path", ["d": path.data, "fill": "url(#hatching)"], title: sound.text)
        }
    }
}

/// The positions of the parts, in units of the picture.
enum Layout {
    static let width = 1_320.0
    static let (left, right) = (90.0, 1_290.0)
    static let columns = 1_200
    static let header = 62.0
    static let footer = 32.0
}

/// The colours. They are legible on `paper`.
enum Ink {
    static let paper = "#ffffff"
    static let text = "#1b2733"
    static let quiet = "#5a6672"
    static let frame = "#b9c1c9"
    static let grid = "#e6eaee"
    static let wave = "#3d5266"
    static let speech = "#1f9d6b"
    static let doubtful = "#a3d6c0"
    static let evidence = "#1c62b0"
    static let threshold = "#d9480f"
    static let floor = "#b7791f"
    static let mark = "#8a1f9b"
    static let dismissed = "#7b8794"
}

extension String {
    /// Returns the text with an ellipsis in place of the excess.
    func shortened(to count: Int) -> String { self.count > count ? prefix(count - 1) + "…" : self }

    /// The approximate width at 12 units, in a sans-serif font that is wider than most.
    var width: Double {
        reduce(0) { width, letter in
            if "iIjlt.,:;'|()[] ".contains(letter) { return width + 4 }
            return width + ("mwMW%—…".contains(letter) || !letter.isASCII ? 12 : 7.5)
        }
    }
}
