import Assessment
import SessionFolders
import Study
import StudyFolders
import SystemSupport

/// All marks of a session side by side, and their result. Pure except for reading the folder.
struct MarkPage {
    struct Report: Encodable {
        var session: String
        var sheets: [MarkSheet]
        var result: ExamResult
    }

    let report: Report

    /// - Throws: The errors of `FolderShelf.evidence` and `SessionFolder.answersToMark`; `missing` if the session has
    ///   no marks.
    init(_ folder: SessionFolder, rules: ResultRules) throws(Problem) {
        let evidence = try FolderShelf().evidence(of: folder, measuring: false)
        guard let result = ExamDossier(evidence, after: [], by: rules).result else {
            throw Problem(.missing, "\(folder.path): has no marks yet; `oracy mark` adds them")
        }
        _ = try folder.answersToMark()
        report = Report(session: folder.name, sheets: evidence.sheets, result: result)
    }

    var text: String {
        let (sheets, result) = (report.sheets, report.result)
        var rows = [[report.session] + sheets.map { $0.marker.cleaned } + ["result"]]
        for criterion in Criterion.allCases {
            rows.append(row(criterion.title, sheets.map { $0.bands[criterion] }, result.criteria[criterion]?.outcome))
        }
        rows.append(row("topic (not a criterion)", sheets.map(\.topicRelevance), result.topicRelevance.outcome))
        var lines = rows.columns(right: 1...(sheets.count + 1))
        lines += ["", overall]
        let traits = Criterion.allCases.compactMap { criterion in
            result.criteria[criterion].map { (criterion.title, $0) }
        }
        for (title, trait) in traits {
            lines.append("  \(title): \(trait.outcome.reason ?? trait.basis)".cleaned)
        }
        let comments = sheets.flatMap { sheet in sheet.comments.map { (sheet.marker, $0) } }
        if !comments.isEmpty { lines.append("") }
        for (marker, comment) in comments {
            lines.append("\(comment.answer) at \(comment.at) s, \(marker): \(comment.text)".cleaned)
        }
        return lines.joined(separator: "\n")
    }

    private var overall: String {
        let result = report.result
        let rules =
            "rules \(result.rules)" + (result.mappings.isEmpty ? "" : ", \(result.mappings.joined(separator: ", "))")
        switch result.overall {
        case .mark(let band): return "overall \(band.asMark), \(result.label) (\(rules))"
        case .missing(let reason): return "no overall mark: \(reason) (\(rules))"
        }
    }

    private func row(_ title: String, _ marks: [Double?], _ outcome: MarkOutcome?) -> [String] {
        [title] + (marks + [outcome?.mark]).map { $0?.asMark ?? "-" }
    }
}
