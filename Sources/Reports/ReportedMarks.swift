import Assessment

/// The marks and the result as HTML, with the rubric's sentences for each mark and a reason for each missing one.
struct ReportedMarks {
    private let content: ReportContent

    init(_ content: ReportContent) {
        self.content = content
    }

    var html: String? {
        guard let result = content.result else { return nil }
        let rows = Criterion.allCases.map { criterion in
            let trait = result.criteria[criterion]
            let band = text(trait?.outcome)
            return """
                <tr><th scope="row">\(criterion.title.html)</th><td>\(band)</td>\
                <td>\((trait?.basis ?? "").html)</td></tr>
                """
        }
        let overall = """
            <tr><th scope="row">overall, \(result.label.html)</th><td>\(text(result.overall))</td><td></td></tr>
            """
        return """
            <section aria-labelledby="marks"><h2 id="marks">Marks</h2>
            <table><caption>The marks, their sources and the result; \(result.label.html)</caption><thead><tr>\
            <th scope="col">Criterion</th><th scope="col">Band</th><th scope="col">By</th></tr></thead>
            <tbody>\((rows + [overall]).joined(separator: "\n"))</tbody></table>
            \(sheets.joined(separator: "\n"))</section>
            """
    }

    private func text(_ outcome: MarkOutcome?) -> String {
        guard let mark = outcome?.mark else { return "none: \((outcome?.reason ?? "it was not marked").html)" }
        return mark.mark
    }

    /// Each person's marks, with the rubric's sentences for these bands if the person used the same rubric.
    private var sheets: [String] {
        content.sheets.map { sheet in
            let rows = Criterion.allCases.compactMap { criterion -> String? in
                guard let band = sheet.bands[criterion] else { return nil }
                let sentences =
                    sheet.rubric == content.rubric.id ? content.rubric.sentences(for: criterion, band: band) : []
                return """
                    <tr><th scope="row">\(criterion.title.html)</th><td>\(band.mark)</td>\
                    <td>\(sentences.joined(separator: " – ").html)</td></tr>
                    """
            }
            return """
                <details><summary>\(sheet.marker.html), \(sheet.markedAt.html)</summary><table>\
                <thead><tr><th scope="col">Criterion</th><th scope="col">Band</th>\
                <th scope="col">What it sounds like (\(sheet.rubric.html))</th></tr></thead>
                <tbody>\(rows.joined(separator: "\n"))</tbody></table></details>
                """
        }
    }
}
