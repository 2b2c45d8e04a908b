import Assessment
import Reports
import Study
import SystemSupport

/// Measures over several exams for a terminal: a small chart of each, the changes, then the exams with their figures.
/// Pure.
struct ProgressText {
    let exams: [ProgressExam]
    let title: String
    var goal: GoalProgress?
    let glyphs: Glyphs

    var lines: [String] {
        guard let first = exams.first, let last = exams.last else { return ["There are no measured exams yet."] }
        var lines = ["\(title): \(exams.count.of("exam")), \(first.day) to \(last.day)", ""]
        lines += estimates + charts + changes + [""] + table
        if let newest = exams.last(where: { $0.delivery.word == nil }) {
            lines += ["", "- \(newest.day): \(newest.delivery.evidence)"]
        }
        return lines.flatMap { $0.count > terminalColumns ? $0.wrapped(to: terminalColumns) : [$0] }
    }

    private var estimates: [String] {
        let aim = goal.map { $0.sentence.wrapped(to: terminalColumns) + [""] } ?? []
        guard let (shown, before, all) = exams.estimates else { return aim }
        let words = "estimate, \(shown.title): \(shown.words)\(before.map { " (before: \($0.words))" } ?? "")"
        let wanted = shown.scale == .band ? goal?.wanted : nil
        let drawn = zip(exams, all).compactMap { exam, estimate in
            estimate.map {
                "  \(exam.day)  \(glyphs.range($0.counted.low...$0.counted.high, of: $0.scale.top, wanted))"
            }
        }
        let key =
            "  \(" ".padded(to: 10))  0 to \(Int(shown.scale.top))"
            + (wanted == nil ? "" : ", \(glyphs.wanted) is the wanted band")
        return [words] + drawn + [key, ""] + aim
    }

    /// The newest exam compared with those before.
    private var changes: [String] {
        let changes = exams.changes
        guard let most = changes.map(\.exams).max() else { return [] }
        let before = most == 1 ? "the exam before" : "the mean of the \(most) exams before"
        return ["", "The newest exam beside \(before), with errors by the choice of questions:"]
            + changes.flatMap { DrillText.hanging("- ", $0.sentence) }
    }

    private var charts: [String] {
        ProgressMeasure.allCases.map { measure in
            let values = exams.map { measure.value($0.delivery) }
            let known = values.compactMap(\.self)
            guard let least = known.min(), let greatest = known.max(), let last = known.last else {
                return "\(measure.name.padded(to: 14))  not known"
            }
            let text = [least, greatest, last].map { $0.figure(measure.digits) }
            return "\(measure.name.padded(to: 14))  \(glyphs.heights(values).padded(to: exams.count))  "
                + "\(text[2]) \(measure.unit)" + (least < greatest ? " (\(text[0]) to \(text[1]))" : "")
        }
    }

    private var table: [String] {
        var rows = [["began", "word", "speech", "speaking", "longest pause", "pauses", "rate"]]
        for exam in exams {
            let shown: [ProgressMeasure] = [
                .speech, .phonationTimeRatio, .longestPause, .pausesPerMinute, .speechRate,
            ]
            let figures = shown.map { measure in
                measure.value(exam.delivery).map { $0.figure(measure.digits) + measure.sign } ?? "-"
            }
            let began = WallTime(utc: exam.startedAt)?.local ?? exam.startedAt
            rows.append([began, exam.delivery.word?.rawValue ?? "-"] + figures)
        }
        return rows.columns(right: 2...6)
    }
}

extension Glyphs {
    /// The mark of the wanted band.
    fileprivate var wanted: String { self == .unicode ? "│" : "|" }

    /// Draws a range of marks on its scale, a column for each half mark.
    ///
    /// - Parameters:
    ///   - top: The highest mark. The lowest is 0.
    ///   - wanted: A mark to show as well. Nil for none.
    fileprivate func range(_ range: ClosedRange<Double>, of top: Double, _ wanted: Double?) -> String {
        let (inside, outside) = self == .unicode ? ("█", "·") : ("#", ".")
        return stride(from: 0, through: top, by: 0.5).map { mark in
            mark == wanted ? self.wanted : range.contains(mark) ? inside : outside
        }.joined()
    }

    /// The heights of a column, the lowest first.
    private var steps: [String] {
        switch self {
        case .unicode: ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
        case .ascii: ["_", ".", "-", "=", "+", "*", "%", "#"]
        }
    }

    /// Draws a column for each share, 0 to 1.
    func wave(_ shares: [Double]) -> String {
        shares.map { steps[min(Int($0 * Double(steps.count)), steps.count - 1)] }.joined()
    }

    /// Draws a column for each value, scaled from the least to the greatest value. A missing value leaves a gap.
    ///
    /// - Parameter least: The value at the foot of the columns; nil for the least of the values.
    func heights(_ values: [Double?], from least: Double? = nil) -> String {
        let known = values.compactMap(\.self)
        guard let lowest = least ?? known.min(), let greatest = known.max() else { return "" }
        return values.map { value in
            guard let value else { return " " }
            let share = greatest > lowest ? (value - lowest) / (greatest - lowest) : least == nil ? 0.5 : 0
            return steps[min(Int(share * Double(steps.count)), steps.count - 1)]
        }.joined()
    }
}
