import Reports

/// Levels as colours, with a row of cells for each band. All cells of a colour form one path, and neighbours of the
/// same colour one stroke.
struct HeatMap {
    private let top: Double
    private let rowHeight: Double
    private var paths = Array(repeating: "", count: HeatColours.count)
    /// The position of each path's pen.
    private var pens = Array(repeating: (x: 0, y: 0), count: HeatColours.count)
    private var row = 0
    private var x = 0
    /// The stroke that the next cell may extend.
    private var stroke: (colour: Int?, from: Int)

    init(top: Double, rowHeight: Double) {
        self.top = top
        self.rowHeight = rowHeight
        stroke = (nil, Int(Layout.left))
    }

    /// - Parameter row: 0 is the top row.
    mutating func begin(row: Int) {
        finishStroke()
        self.row = row
        x = Int(Layout.left)
        stroke = (nil, x)
    }

    /// Adds the next cell of the row.
    mutating func add(_ level: Double, until right: Double) {
        let colour = HeatColours.index(ofLevel: level)
        if colour != stroke.colour {
            finishStroke()
            stroke = (colour, x)
        }
        x = Int(right.rounded())
    }

    mutating func draw(into svg: inout SVG) {
        finishStroke()
        let place = "translate(0 \((top + rowHeight / 2).svg))"
        svg.group([
            "transform": place, "fill": "none", "stroke-width": rowHeight.svg, "shape-rendering": "crispEdges",
        ]) { svg in
            for (index, path) in paths.enumerated() where !path.isEmpty {
                svg.add("path", ["stroke": HeatColours.colour(index), "d": path])
            }
        }
    }

    private mutating func finishStroke() {
        guard let colour = stroke.colour, x > stroke.from else { return }
        // Relative moves take half as many characters as absolute ones, and rows are whole units apart.
        let y = row * Int(rowHeight)
        let pen = pens[colour]
        paths[colour] += "m\(stroke.from - pen.x) \(y - pen.y)h\(x - stroke.from)"
        pens[colour] = (x, y)
        stroke.colour = nil
    }

    /// Draws the legend of the colours, to the right of the heading.
    static func drawKey(_ panel: Panel, into svg: inout SVG) {
        let width = 16.0
        let right = Layout.right - 66
        let left = right - width * Double(HeatColours.count)
        svg.group(["shape-rendering": "crispEdges", "stroke": "none"]) { svg in
            for index in 0..<HeatColours.count {
                let x = left + width * Double(index)
                let y = panel.baseline - 9
                svg.add(
                    "rect",
                    [
                        "x": x.svg, "y": y.svg, "width": width.svg, "height": "10",
                        "fill": HeatColours.colour(index),
                    ])
            }
        }
        let (quiet, loud) = (HeatColours.levels.lowerBound.plain, HeatColours.levels.upperBound.plain)
        svg.group(["fill": Ink.quiet]) { svg in
            let y = panel.baseline.svg
            svg.add("text", ["x": (left - 6).svg, "y": y, "text-anchor": "end"], text: quiet)
            svg.add("text", ["x": (right + 6).svg, "y": y], text: "\(loud) dBFS")
        }
    }
}
