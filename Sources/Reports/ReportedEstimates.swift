import Assessment

/// The estimates as HTML: a line for each aspect, with its range in words and as a bar, one strength and one thing to
/// do.
struct ReportedEstimates {
    private let content: ReportContent

    init(_ content: ReportContent) {
        self.content = content
    }

    var html: String? {
        guard !content.estimates.isEmpty else { return nil }
        let rows = content.estimates.map { estimate in
            """
            <tr><th scope="row">\(estimate.title.html)</th><td>\(estimate.words.html)</td><td>\(bar(estimate))</td>\
            <td>\(estimate.sentences.joined(separator: " ").html)</td></tr>
            """
        }
        let strength = content.strength.map { "<p><strong>Good:</strong> \($0.sentence.html)</p>" } ?? ""
        let step = content.steps.first.map { "<p><strong>To do:</strong> \($0.advice.html)</p>" } ?? ""
        let goal = content.goal.map { goal in
            let mark = content.estimates.contains(where: isCompared) ? " The upright line marks it." : ""
            return "<p><strong>Goal:</strong> \(goal.sentence.html)\(mark)</p>"
        }
        return """
            <section aria-labelledby="estimate"><h2 id="estimate">Estimate</h2>
            <table><caption>Ranges, unofficial: bands go from 0 to 9, listeners' marks from 0 to 10</caption><thead><tr>\
            <th scope="col">What</th><th scope="col">Range</th><th scope="col">On its scale</th>\
            <th scope="col">What it rests on</th></tr></thead>
            <tbody>\(rows.joined(separator: "\n"))</tbody></table>
            \(goal ?? "")\(strength)\(step)</section>
            """
    }

    /// Whether the wanted band is compared with an estimate.
    private func isCompared(_ estimate: AspectEstimate) -> Bool {
        estimate.aspect == .overall && estimate.scale == .band
    }

    private func bar(_ estimate: AspectEstimate) -> String {
        let (top, range) = (estimate.scale.top, estimate.counted)
        let left = 100 * range.low / top
        let width = 100 * (range.high - range.low) / top
        let wanted = isCompared(estimate) ? content.goal?.band : nil
        let place = wanted.map { (100 * $0 / top).text(1) }
        let line = place.map { "<line class=\"wanted\" x1=\"\($0)\" y1=\"0\" x2=\"\($0)\" y2=\"8\"/>" } ?? ""
        return """
            <svg class="scale" viewBox="0 0 100 8" width="100" height="8" role="img" aria-label="\(estimate.words.html) of \
            \(top.text(0))\(wanted.map { ", wanted \($0.mark)" } ?? "")"><line class="bound" x1="0" y1="4" x2="100" \
            y2="4"/><rect class="range" x="\(left.text(1))" y="1" width="\(width.text(1))" height="6"/>\(line)</svg>
            """
    }
}
