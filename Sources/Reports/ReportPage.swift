import Assessment
import ExamCore

/// An exam's report as one HTML file. It needs no network and loads nothing from outside.
///
/// ```swift
/// let html = ReportPage(ReportContent(session: "2026-11-23-a1", title: "IELTS-style")).html
/// print(html.utf8.count, "bytes")
/// ```
public struct ReportPage: Sendable {
    private let content: ReportContent

    public init(_ content: ReportContent) {
        self.content = content
    }

    /// The page. The same content gives the same page. All text from people and services is escaped.
    public var html: String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; \
        script-src 'unsafe-inline'; media-src data: blob:; base-uri 'none'; form-action 'none'">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="referrer" content="no-referrer">
        <title>\("Report: \(content.title)".html)</title>
        <style>
        \(String(decoding: PackageResources.report_css, as: UTF8.self))</style>
        </head>
        <body>
        <a class="skip" href="#answers">To the answers</a>
        <header>
        <h1>\(content.title.html)</h1>
        <p class="faint">\(heading.html)</p>
        </header>
        <main>
        \(sections.joined(separator: "\n"))
        </main>
        <footer><p>IELTS-style practice, made by Oracy on this recording alone. Nothing here is an official result. \
        The sound is inside this file: anyone who has the file can hear it.</p></footer>
        <script>
        \(String(decoding: PackageResources.report_js, as: UTF8.self))</script>
        </body>
        </html>

        """
    }

    private var heading: String {
        [content.startedAt, content.outcome, content.provenance, "session \(content.session)"].compactMap(\.self)
            .joined(separator: " · ")
    }

    private var sections: [String] {
        [
            ReportedEstimates(content).html, steps, delivery, words, ReportedMarks(content).html, answers, comparison,
            notAssessed,
        ].compactMap(\.self)
    }

    private var steps: String? {
        guard !content.steps.isEmpty else { return nil }
        let items = content.steps.prefix(3).map { step in
            var item = "<li><strong>\(step.advice.html)</strong> <span class=\"faint\">\(step.evidence.html)</span>"
            if let answer = step.answer, hasSound(answer) {
                let at = step.at ?? 0
                item +=
                    " <button data-answer=\"\(answer.html)\" data-at=\"\(at.text(3))\">Play \(answer.html) "
                    + "at \(at.clock)</button> <a href=\"#\(answer.html)\">To the answer</a>"
            }
            if let command = step.action.flatMap({ content.command?($0) }) {
                item += "<br>Practise: <code>\(command.html)</code>"
            }
            return item + "</li>"
        }
        return """
            <section aria-labelledby="next"><h2 id="next">What to do next</h2>
            <ol class="steps">\(items.joined(separator: "\n"))</ol></section>
            """
    }

    private func hasSound(_ answer: String) -> Bool {
        content.answers.contains { $0.record.name == answer && $0.recording != nil }
    }

    private var delivery: String? {
        guard let delivery = content.delivery else { return nil }
        let parts = content.parts.map { part in
            let rate = part.delivery.measures.speechRate?.text(1) ?? "–"
            let pauses = part.delivery.measures.pausesPerMinute?.text(1) ?? "–"
            return """
                <tr><th scope="row">Part \(part.part)</th><td>\(part.delivery.word?.rawValue ?? "no word")</td>\
                <td>\(rate)</td><td>\(pauses)</td></tr>
                """
        }
        let table =
            parts.isEmpty
            ? ""
            : """
            <table><caption>Part by part</caption><thead><tr><th scope="col">Part</th><th scope="col">Delivery</th>\
            <th scope="col">Syllables a second</th><th scope="col">Pauses a minute</th></tr></thead>
            <tbody>\(parts.joined(separator: "\n"))</tbody></table>
            """
        return """
            <section aria-labelledby="delivery"><h2 id="delivery">How it was delivered</h2>
            <p class="word">\(delivery.word?.rawValue ?? "Not judged")</p>
            <p>\(delivery.evidence.html)</p>
            \(AnswerArticle.measures(delivery.lines, caption: "From the sound of all answers together"))
            \(table)
            <p class="faint">Measured by \(delivery.version.html), \(delivery.calibration.html). Never a band. \
            The word was learnt from sentences that speakers of Chinese read aloud. It was not tested on talks or with \
            other first languages, and cannot tell good from better.</p></section>
            """
    }

    private var words: String? {
        guard let text = content.text, text.words > 0 else { return nil }
        let count = content.answers.count { $0.text != nil }
        let basis = "From \(text.source.transcript) of \(count.counted("answer")), \(text.version)."
        return """
            <section aria-labelledby="words"><h2 id="words">What the words show</h2>
            \(AnswerArticle.measures(text.lines, caption: basis))</section>
            """
    }

    private var answers: String {
        let comments = content.sheets.flatMap { sheet in sheet.comments.map { (sheet.marker, $0) } }
        let articles = content.answers.map { answer in
            AnswerArticle(answer, comments: comments.filter { $0.1.answer == answer.record.name }).html
        }
        return """
            <section aria-labelledby="answers"><h2 id="answers">The answers</h2>
            <svg width="0" height="0" aria-hidden="true" style="position:absolute"><defs><pattern id="hatch" \
            width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">\
            <line class="hatch" x1="0" y1="0" x2="0" y2="6"/></pattern></defs></svg>
            \(articles.isEmpty ? "<p>Nothing was answered.</p>" : articles.joined(separator: "\n"))</section>
            """
    }

    private var comparison: String? {
        guard !content.earlier.isEmpty, let delivery = content.delivery else { return nil }
        func row(_ name: String, _ profile: DeliveryProfile) -> String {
            let timing = profile.measures
            let cells = [
                profile.word?.rawValue ?? "not judged", timing.speechRate?.text(1) ?? "–",
                timing.pausesPerMinute?.text(1) ?? "–", timing.meanPause?.text(2) ?? "–",
                timing.meanLengthOfRun?.text(1) ?? "–",
            ]
            return "<tr><th scope=\"row\">\(name.html)</th>" + cells.map { "<td>\($0.html)</td>" }.joined() + "</tr>"
        }
        let comparable = content.earlier.filter { $0.delivery.version == delivery.version }
        let rows =
            [row("this exam", delivery)]
            + comparable.sorted { $0.startedAt > $1.startedAt }.map { row($0.startedAt, $0.delivery) }
        let left = content.earlier.count - comparable.count
        let note = left > 0 ? "<p>\(left) earlier exams were measured by other rules and are not compared.</p>" : ""
        let panels = ProgressChart(content.progress, title: "").panels.map { "<figure>\($0.svg)</figure>" }
        let drawings =
            panels.isEmpty
            ? ""
            : "<div class=\"panels\">\(panels.joined(separator: "\n"))</div>"
                + "<p class=\"faint\">\(ProgressChart.key)</p>"
        return """
            <section aria-labelledby="earlier"><h2 id="earlier">Compared with earlier exams</h2>\(drawings)
            <div class="wide" tabindex="0" role="region" aria-labelledby="earlier"><table><thead><tr>\
            <th scope="col">Exam</th><th scope="col">Delivery</th><th scope="col">Syllables a second</th>\
            <th scope="col">Pauses a minute</th><th scope="col">Mean pause (s)</th>\
            <th scope="col">Syllables between pauses</th></tr></thead><tbody>
            \(rows.joined(separator: "\n"))</tbody></table></div>\(note)</section>
            """
    }

    private var notAssessed: String? {
        guard !content.notAssessed.isEmpty else { return nil }
        let rows = content.notAssessed.map {
            "<tr><th scope=\"row\">\($0.what.html)</th><td>\($0.why.html)</td></tr>"
        }
        return """
            <section aria-labelledby="open"><h2 id="open">What is not assessed, and why</h2>
            <table><thead><tr><th scope="col">What</th><th scope="col">Why</th></tr></thead>
            <tbody>\(rows.joined(separator: "\n"))</tbody></table></section>
            """
    }
}
