public import ExamCore

extension ExamFormat.Scoring {
    /// What a test of this kind gives and Oracy does not, and why: marks here are IELTS-style bands, whatever the format, and nothing turns one
    /// scale into another.
    public var notGiven: (what: String, why: String) {
        let range = "\(name.lowercased()) from \(lowest.figure(0)) to \(highest.figure(0))"
        return (
            range,
            "tests of this kind are marked so, for \(criteria.joined(separator: ", ")); bands here are IELTS-style, and nothing turns them into others"
        )
    }
}
