import Assessment
import Reports
import SystemSupport

/// Measures over several exams for a terminal: a small chart of each, then the exams with their figures. Pure.
struct ProgressText {
    /// The most exams that fit on a line. If there are more, the newest are shown.
    static let mostExams = 24

    let exams: [EarlierExam]
    let title: String
    let glyphs: Glyphs

    var lines: [String] {
        guard let first = exams.first, let last = exams.last else { return ["There are no measured exams yet."] }
        var lines = ["\(title): \(exams.count.of("exam")), \(first.day) to \(last.day)", ""]
        let shown = Array(exams.suffix(Self.mostExams))
        if shown.count < exams.count { lines += ["The newest \(shown.count):", ""] }
        lines += charts(of: shown) + [""] + table(of: shown)
        let unjudged = shown.filter { $0.delivery.word == nil }
        if let newest = unjudged.last { lines += ["", "- \(newest.day): \(newest.delivery.evidence)"] }
        return lines.flatMap { $0.count > terminalColumns ? $0.wrapped(to: terminalColumns) : [$0] }
    }

    private func charts(of exams: [EarlierExam]) -> [String] {
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

    private func table(of exams: [EarlierExam]) -> [String] {
        var rows = [["began", "word", "speech", "speaking", "longest pause", "pauses", "rate"]]
        for exam in exams {
            let shown: [ProgressMeasure] = [
                .speech, .phonationTimeRatio, .longestPause, .pausesPerMinute, .speechRate,
            ]
            let figures = shown.map { measure in
                measure.value(exam.delivery).map { $0.figure(measure.digits) + Self.sign(measure) } ?? "-"
            }
            let began = WallTime(utc: exam.startedAt)?.local ?? exam.startedAt
            rows.append([began, exam.delivery.word?.rawValue ?? "-"] + figures)
        }
        return rows.columns(right: 2...6)
    }

    private static func sign(_ measure: ProgressMeasure) -> String {
        switch measure {
        case .phonationTimeRatio: " %"
        case .speech, .longestPause: " s"
        case .pausesPerMinute: "/min"
        case .speechRate, .meanLengthOfRun: "/s"
        }
    }
}

extension Glyphs {
    /// Draws a column for each value, scaled from the least to the greatest value. A missing value leaves a gap.
    ///
    /// - Parameter least: The value at the foot of the columns; nil for the least of the values.
    func heights(_ values: [Double?], from least: Double? = nil) -> String {
        let steps: [String] =
            switch self {
            case .unicode: ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
            case .ascii: ["_", ".", "-", "=", "+", "*", "%", "#"]
            }
        let known = values.compactMap(\.self)
        guard let lowest = least ?? known.min(), let greatest = known.max() else { return "" }
        return values.map { value in
            guard let value else { return " " }
            let share = greatest > lowest ? (value - lowest) / (greatest - lowest) : least == nil ? 0.5 : 0
            return steps[min(Int(share * Double(steps.count)), steps.count - 1)]
        }.joined()
    }
}
