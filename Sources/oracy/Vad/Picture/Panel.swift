import AudioFiles
import ExamCore
import Reports

/// One of the stacked panels: a heading with a legend, and the drawing below it.
struct Panel {
    enum Kind: CaseIterable {
        case decisions, wave, bands, evidence, level

        var height: Double {
            switch self {
            case .decisions: 14
            case .wave: 96
            case .bands: 15 * Double(FrameColumn.bandCentres.count)
            case .evidence, .level: 110
            }
        }

        /// Returns all panels from top to bottom.
        static func stacked(below start: Double) -> [Panel] {
            var y = start
            return allCases.map { kind in
                let panel = Panel(kind: kind, start: y)
                y = panel.bottom + 10
                return panel
            }
        }
    }

    let kind: Kind
    /// The top of its heading.
    let start: Double

    /// The end of the heading and the top of the drawing.
    var top: Double { start + 20 }
    var bottom: Double { top + kind.height }
    var middle: Double { (top + bottom) / 2 }
    /// The baseline of its heading.
    var baseline: Double { start + 14 }
}

extension HearingPlot {
    func draw(_ panel: Panel, _ time: Scale, into svg: inout SVG) {
        switch panel.kind {
        case .decisions: drawDecisions(panel, time, into: &svg)
        case .wave: drawWave(panel, time, into: &svg)
        case .bands: drawBands(panel, time, into: &svg)
        case .evidence: drawEvidence(panel, time, into: &svg)
        case .level: drawLevel(panel, time, into: &svg)
        }
    }

    func head(_ panel: Panel, into svg: inout SVG) {
        switch panel.kind {
        case .decisions:
            var legend = [Legend(text: "speech", colour: Ink.speech, height: 9)]
            if file.sounds.contains(where: { $0.kind == .doubtful }) {
                legend.append(Legend(text: "doubtful", colour: Ink.doubtful, height: 9))
            }
            if !dismissed.isEmpty { legend.append(Legend(text: "dismissed", colour: "url(#hatching)", height: 9)) }
            panel.head("Decisions", legend, into: &svg)
        case .wave: panel.head("Waveform, full scale ±1", [], into: &svg)
        case .bands:
            panel.head("Bands, Hz", [], into: &svg)
            HeatMap.drawKey(panel, into: &svg)
        case .evidence:
            let legend = [
                Legend(text: "evidence", colour: Ink.evidence),
                Legend(text: "what makes the change", colour: Ink.threshold),
            ]
            panel.head("Evidence for a change, nats", legend, into: &svg)
        case .level:
            let legend = [
                Legend(text: "sound", colour: Ink.wave),
                Legend(text: "the room's noise", colour: Ink.floor),
            ]
            panel.head("Level, mean over the bands, dBFS", legend, into: &svg)
        }
    }

    private func drawDecisions(_ panel: Panel, _ time: Scale, into svg: inout SVG) {
        panel.frame(into: &svg)
        func draw(_ kind: EndOfAnswer.Sound, _ colour: String) {
            let sounds = file.sounds.filter { $0.kind == kind }
            var path = SVGPath()
            for sound in sounds {
                path.rectangle(time(sound.start.inSeconds)...time(sound.end.inSeconds), panel.top...panel.bottom)
            }
            if !sounds.isEmpty { svg.add("path", ["d": path.data, "fill": colour], title: kind.remark ?? "") }
        }
        draw(.speech, Ink.speech)
        draw(.doubtful, Ink.doubtful)
    }

    private func drawWave(_ panel: Panel, _ time: Scale, into svg: inout SVG) {
        let columns = trace.wave.columns(atMost: Layout.columns)
        let peak = columns.reduce(0) { max($0, -$1.element.range.lowerBound, $1.element.range.upperBound) }
        let sizes = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100]
        let size = sizes.first { $0 >= peak } ?? 100
        let scale = Scale(-size...size, from: panel.bottom, to: panel.top)
        panel.frame(into: &svg)
        panel.ticks([(-size, "−\(size.plain)"), (0, "0"), (size, size.plain)], scale, into: &svg)
        let seconds = Double(HearingTrace.waveStep) / Double(AudioFormat.sampleRate)
        panel.area(columns.map { ($0.range, $0.element.range) }, seconds, time, scale, Ink.wave, into: &svg)
    }

    private func drawBands(_ panel: Panel, _ time: Scale, into svg: inout SVG) {
        let columns = trace.frames.columns(atMost: Layout.columns)
        let bands = FrameColumn.bandCentres
        let height = (panel.bottom - panel.top) / Double(bands.count)
        var map = HeatMap(top: panel.top, rowHeight: height)
        for row in bands.indices {
            let band = bands.count - 1 - row  // The highest band is on top.
            map.begin(row: row)
            for column in columns {
                map.add(column.element.level(ofBand: band), until: time(Double(column.range.upperBound) * Self.frame))
            }
        }
        map.draw(into: &svg)
        panel.frame(into: &svg)
        svg.group(["fill": Ink.quiet, "font-size": "11", "text-anchor": "end"]) { svg in
            for (row, centre) in bands.reversed().enumerated() {
                let y = panel.top + (Double(row) + 0.5) * height + 4
                svg.add("text", ["x": (Layout.left - 6).svg, "y": y.svg], text: "\(centre)")
            }
        }
    }

    private func drawEvidence(_ panel: Panel, _ time: Scale, into svg: inout SVG) {
        let columns = trace.frames.columns(atMost: Layout.columns)
        let most = columns.reduce(9) { max($0, $1.element.evidence.upperBound, $1.element.threshold) }
        let least = columns.reduce(0) { min($0, $1.element.evidence.lowerBound) }
        let values = max((least / 5).rounded(.down) * 5, -50)...min((most / 5).rounded(.up) * 5, 200)
        let scale = Scale(values, from: panel.bottom - 5, to: panel.top + 5)
        panel.frame(into: &svg)
        panel.ticks(every: 20, scale, into: &svg)
        panel.area(
            columns.map { ($0.range, $0.element.evidence) }, Self.frame, time, scale, Ink.evidence, opacity: 0.3,
            into: &svg)
        panel.line(
            columns.map { ($0.range, $0.element.meanEvidence) }, Self.frame, time, scale, Ink.evidence, into: &svg)
        panel.line(columns.map { ($0.range, $0.element.threshold) }, Self.frame, time, scale, Ink.threshold, into: &svg)
    }

    private func drawLevel(_ panel: Panel, _ time: Scale, into svg: inout SVG) {
        let columns = trace.frames.columns(atMost: Layout.columns)
        let most = columns.reduce(-30) { max($0, $1.element.level, $1.element.floor) }
        let least = columns.reduce(-70) { min($0, $1.element.level, $1.element.floor) }
        let values = max((least / 10).rounded(.down) * 10, -100)...min((most / 10).rounded(.up) * 10, 40)
        let scale = Scale(values, from: panel.bottom - 5, to: panel.top + 5)
        panel.frame(into: &svg)
        panel.ticks(every: 20, scale, into: &svg)
        panel.line(columns.map { ($0.range, $0.element.level) }, Self.frame, time, scale, Ink.wave, into: &svg)
        panel.line(columns.map { ($0.range, $0.element.floor) }, Self.frame, time, scale, Ink.floor, into: &svg)
    }

    /// The length of a place in `trace.frames`, in seconds.
    private static let frame = 0.01
}
