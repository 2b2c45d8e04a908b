import Assessment
import ExamCore
import SessionFolders
import SystemSupport

/// One person's marks before they are saved. Pure.
struct MarkDraft {
    var sheet: MarkSheet
    let takes: [StoredTake]
    /// Whether this person has saved marks of this session before.
    let wasSaved: Bool

    /// - Parameter sheets: All sheets of the session. Those of other markers are dropped here, so that they can't be
    ///   shown.
    init(marker: String, takes: [StoredTake], sheets: [MarkSheet]) {
        let earlier = sheets.first { $0.marker == marker }
        self.takes = takes
        wasSaved = earlier != nil
        sheet = earlier ?? MarkSheet(marker: marker, markedAt: "", rubric: Rubric.ieltsStyle.id, bands: [:])
    }

    /// The lengths of the recordings in seconds, by the answers' names.
    private var lengths: [String: Double] {
        Dictionary(takes.map { ($0.record.name, Double($0.duration.duration.milliseconds) / 1000) }) { $1 }
    }

    /// - Throws: `Problem.malformed`.
    func check() throws(Problem) {
        if let mistake = sheet.mistake(lengths: lengths) { throw Problem(.malformed, mistake) }
    }

    /// - Parameter text: `part2_q1@12.5: looks for a word`
    /// - Throws: `Problem.malformed`.
    mutating func add(comment text: String) throws(Problem) {
        guard let match = text.wholeMatch(of: /\s*(\w+)@([0-9.]+)\s*:\s*(.*)/), let at = Double(match.2) else {
            throw Problem(.malformed, "comment \"\(text.cleaned)\": write it as part2_q1@12.5: what you heard")
        }
        try add(MarkComment(answer: String(match.1), at: at, text: match.3.cleaned))
    }

    /// - Throws: `Problem.malformed`.
    mutating func add(_ comment: MarkComment) throws(Problem) {
        if let mistake = comment.mistake(lengths: lengths) { throw Problem(.malformed, mistake) }
        if !sheet.comments.contains(comment) { sheet.comments.append(comment) }
    }

    /// Returns the sheet in its final form.
    func signed(at time: WallTime) -> MarkSheet {
        var sheet = sheet
        sheet.markedAt = time.utc
        sheet.rubric = Rubric.ieltsStyle.id
        return sheet
    }
}
