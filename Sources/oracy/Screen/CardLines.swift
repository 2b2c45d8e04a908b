import ExamCore

/// A cue card as lines.
struct CardLines {
    private let topic: String
    private let points: [String]
    private let explain: String
    private let columns: Int
    private let glyphs: Glyphs

    init(_ card: Paper.Card, columns: Int, glyphs: Glyphs) {
        topic = glyphs.text(card.topic)
        points = card.points.map { glyphs.text($0) }
        explain = glyphs.text(card.explain)
        self.columns = columns
        self.glyphs = glyphs
    }

    func lines(_ way: FrameParts.Way) -> [ScreenFrame.Line] {
        switch way {
        case .roomy, .close: framed
        case .bare: content(columns).map { ScreenFrame.Line(text: $0) }
        case .terse:
            (topic.wrapped(to: columns)
                + ("You should say: " + points.joined(separator: "; ") + "; " + explain).wrapped(to: columns))
                .map { ScreenFrame.Line(text: $0) }
        }
    }

    private var framed: [ScreenFrame.Line] {
        let inner = max(columns - 4, 1)
        let edge = String(repeating: glyphs.rule, count: inner + 2)
        let corners = glyphs.corners
        let rows = content(inner).map { "\(glyphs.wall) \($0.padded(to: inner)) \(glyphs.wall)" }
        return ([corners.topLeft + edge + corners.topRight] + rows + [corners.bottomLeft + edge + corners.bottomRight])
            .map { ScreenFrame.Line(text: $0) }
    }

    private func content(_ width: Int) -> [String] {
        let listed = points.flatMap { point in
            point.wrapped(to: max(width - 4, 1)).enumerated().map {
                ($0.offset == 0 ? "  \(glyphs.bullet) " : "    ") + $0.element
            }
        }
        return topic.wrapped(to: width) + ["You should say:"] + listed + explain.wrapped(to: width)
    }
}
