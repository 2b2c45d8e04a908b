import Reports
import SessionFolders

extension HeardFile {
    /// An object for Praat: a tier "speech", and a point tier "end of answer" if these were requested.
    var textGrid: String {
        var tiers = [
            TextGrid.Tier.intervals(name: "speech", segments.map { ($0.start.text, $0.end.text, "speech") })
        ]
        if let ends { tiers.append(.points(name: "end of answer", ends.map { ($0.at.text, $0.words) })) }
        return TextGrid(duration: duration.text, tiers: tiers).text
    }
}
