import Reports

/// The texts of marks and dismissed sounds, in lanes above the panels, so that they don't overlap.
struct PlotNotes {
    private struct Note {
        var text: String
        var title: String
        var x: Double
        /// The extent of the text.
        var span: ClosedRange<Double>
        var isMark: Bool
        /// Nil if there is no room for the text. It then appears when the pointer rests on the line.
        var lane: Int?
    }

    private static let laneHeight = 15.0
    private static let mostLanes = 4

    private var notes: [Note] = []

    init(_ marks: [HearingPlot.Mark], _ dismissed: [HearingPlot.Dismissed], _ time: Scale) {
        for mark in marks { place(mark.text, at: time(mark.atSeconds), isMark: true) }
        for sound in dismissed { place(sound.text, at: time(sound.seconds.lowerBound), isMark: false) }
    }

    /// The height of all used lanes.
    var height: Double {
        guard !notes.isEmpty else { return 0 }
        return Self.laneHeight * Double((notes.compactMap(\.lane).max() ?? 0) + 1) + 4
    }

    private mutating func place(_ text: String, at x: Double, isMark: Bool) {
        let shown = text.shortened(to: 72)
        let left = x + 4 + shown.width <= Layout.right ? x + 4 : x - 4 - shown.width
        let span = left...(left + shown.width)
        let lane = (0..<Self.mostLanes).first { lane in
            !notes.contains { $0.lane == lane && $0.span.overlaps(span.lowerBound - 8...span.upperBound + 8) }
        }
        notes.append(Note(text: shown, title: text, x: x, span: span, isMark: isMark, lane: lane))
    }

    /// - Parameter top: The top of the first lane.
    func drawLines(top: Double, through body: ClosedRange<Double>, into svg: inout SVG) {
        for note in notes where note.isMark {
            let start = note.lane.map { baseline(ofLane: $0, top) - 10 } ?? body.lowerBound
            svg.add(
                "path",
                [
                    "d": "M\(note.x.svg) \(start.svg)V\(body.upperBound.svg)", "stroke": Ink.mark,
                    "stroke-width": "1.5", "fill": "none",
                ], title: note.title)
        }
    }

    /// - Parameter top: The top of the first lane.
    func drawTexts(top: Double, into svg: inout SVG) {
        for note in notes {
            guard let lane = note.lane else { continue }
            let (x, y) = (note.span.lowerBound.svg, baseline(ofLane: lane, top).svg)
            svg.add("text", ["x": x, "y": y, "fill": note.isMark ? Ink.mark : Ink.quiet], text: note.text)
        }
    }

    private func baseline(ofLane lane: Int, _ top: Double) -> Double { top + Self.laneHeight * Double(lane) + 12 }
}
