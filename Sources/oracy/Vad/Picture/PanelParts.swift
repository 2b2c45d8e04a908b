import Reports

/// A colour and its meaning.
struct Legend {
    var text: String
    var colour: String
    /// The height of its sample in the legend, which is a line or an area.
    var height = 3.0
}

extension Panel {
    /// Draws the heading on the left and the legend on the right.
    func head(_ title: String, _ legend: [Legend], into svg: inout SVG) {
        svg.add(
            "text", ["x": Layout.left.svg, "y": baseline.svg, "font-weight": "bold", "fill": Ink.text], text: title)
        var right = Layout.right
        for item in legend.reversed() {
            let left = right - item.text.width
            svg.add("text", ["x": left.svg, "y": baseline.svg, "fill": Ink.quiet], text: item.text)
            right -= item.text.width + 5
            let y = baseline - 4 - item.height / 2
            svg.add(
                "rect",
                [
                    "x": (right - 18).svg, "y": y.svg, "width": "18", "height": item.height.svg, "fill": item.colour,
                    "stroke": "none",
                ])
            right -= 32
        }
    }

    func frame(into svg: inout SVG) {
        svg.add(
            "rect",
            [
                "x": Layout.left.svg, "y": top.svg, "width": (Layout.right - Layout.left).svg,
                "height": (bottom - top).svg, "fill": "none", "stroke": Ink.frame,
            ])
    }

    func ticks(every step: Double, _ scale: Scale, into svg: inout SVG) {
        ticks(scale.ticks(every: step).map { ($0, $0.plain) }, scale, into: &svg)
    }

    /// Draws values on the left, and lines for those inside the panel.
    func ticks(_ ticks: [(value: Double, text: String)], _ scale: Scale, into svg: inout SVG) {
        var lines = SVGPath()
        for tick in ticks where scale(tick.value) > top && scale(tick.value) < bottom {
            lines.move(Layout.left, scale(tick.value))
            lines.horizontal(to: Layout.right)
        }
        svg.add("path", ["d": lines.data, "stroke": Ink.grid, "fill": "none"])
        svg.group(["fill": Ink.quiet, "font-size": "11", "text-anchor": "end"]) { svg in
            for tick in ticks {
                svg.add(
                    "text", ["x": (Layout.left - 6).svg, "y": (scale(tick.value) + 4).svg], text: tick.text)
            }
        }
    }

    /// Fills the area from the least to the greatest value of each column.
    func area(
        _ columns: [(range: Range<Int>, values: ClosedRange<Double>)], _ seconds: Double, _ time: Scale,
        _ scale: Scale, _ colour: String, opacity: Double = 1, into svg: inout SVG
    ) {
        guard !columns.isEmpty else { return }
        let xs = columns.map { time($0.range.middle * seconds) }
        var path = SVGPath()
        path.line(through: zip(xs, columns).map { ($0, scale($1.values.upperBound)) })
        for (x, column) in zip(xs, columns).reversed() { path.line(x, scale(column.values.lowerBound)) }
        path.close()
        svg.add(
            "path",
            [
                "d": path.data, "fill": colour, "stroke": colour, "stroke-width": "1", "stroke-linejoin": "round",
                "opacity": opacity.svg,
            ])
    }

    func line(
        _ columns: [(range: Range<Int>, value: Double)], _ seconds: Double, _ time: Scale, _ scale: Scale,
        _ colour: String, into svg: inout SVG
    ) {
        guard !columns.isEmpty else { return }
        var path = SVGPath()
        path.line(through: columns.map { (time($0.range.middle * seconds), scale($0.value)) })
        svg.add(
            "path",
            ["d": path.data, "fill": "none", "stroke": colour, "stroke-width": "1.4", "stroke-linejoin": "round"])
    }
}

extension Range<Int> {
    var middle: Double { Double(lowerBound + upperBound) / 2 }
}

extension Double {
    /// The number as people write it, with a true minus sign: `0.05`, `−20`.
    var plain: String {
        let text = self == rounded() ? "\(Int(self))" : "\(self)"
        return text.hasPrefix("-") ? "−" + text.dropFirst() : text
    }
}
