import ExamKit

extension HeardFile {
    /// A table for people, with the sum of it in the last line.
    var list: String {
        var rows = [["start s", "end s", "length s", "level dBFS"]]
        for segment in segments {
            rows.append([segment.start.text, segment.end.text, segment.duration.text, segment.levelDBFS.tenths])
        }
        let table = segments.isEmpty ? [] : rows.columns(right: 0...3).map { "  " + $0 }
        return ([name] + table + ["  " + totals]).joined(separator: "\n") + "\n"
    }
}

extension Double {
    /// With one decimal: `-24.3`.
    var tenths: String {
        let tenths = Int((self * 10).rounded())
        return (tenths < 0 ? "-" : "") + "\(abs(tenths) / 10).\(abs(tenths) % 10)"
    }
}
