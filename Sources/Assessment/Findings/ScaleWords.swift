public import ExamCore

extension ExamFormat.Scoring {
    /// The marks that tests of this format give and Oracy does not, and the reason: Oracy's marks are IELTS-style bands
    /// for every format, and one scale cannot be converted into another.
    public var notGiven: (what: String, why: String) {
        let range = "\(name.lowercased()) from \(lowest.figure(0)) to \(highest.figure(0))"
        return (
            range,
            "this scale rates \(criteria.joined(separator: ", ")); IELTS-style bands cannot be converted to it"
        )
    }
}
