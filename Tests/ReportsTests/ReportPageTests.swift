import Assessment
import Foundation
import Testing

@testable import Reports

/// Tests of the page's text: what it says, and what it must never contain.
@Suite struct ReportPageTests {
    /// Attempts to break out of the page, or to reach the network from it.
    private static let attacks = [
        "</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>", "\"><svg onload=alert(1)>",
        "' onclick='x",
        "&lt;b&gt; & <b>", "</style><style>@import 'https://example.org'", "\u{0}\u{202E}<!--",
    ]

    @Test func theSameExamIsTheSamePage() {
        let page = ReportPage(MadeExam.content()).html
        #expect(page == ReportPage(MadeExam.content()).html)
        for words in [
            "IELTS-style: Bridges", "Where do you live?", "What to do next", "part1_q1", "Ada", "clear", "lives",
            "live",
            "What is not assessed, and why", "It was not marked.", DeliveryProfile.version,
            DeliveryCalibration.builtIn.id,
        ] { #expect(page.contains(words), "\(words)") }
        #expect(!page.contains("official result") || page.contains("Nothing here is an official result"))
    }

    /// The page without style and script. `ORACY_GOLDENS=1` writes the expected file again (`make goldens`).
    @Test func thePageIsTheExpectedOne() throws {
        let html = ReportPage(MadeExam.content()).html
        let body = try #require(html.firstRange(of: "<body>")).upperBound
        let script = try #require(html.firstRange(of: "<script>")).lowerBound
        let golden = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "report.golden.html")
        if ProcessInfo.processInfo.environment["ORACY_GOLDENS"] != nil {
            try Data(html[body..<script].utf8).write(to: golden)
        }
        let expected = try String(contentsOf: golden, encoding: .utf8).split(separator: "\n")
        for (line, wanted) in zip(html[body..<script].split(separator: "\n"), expected) {
            try #require(line == wanted)
        }
        #expect(html[body..<script].split(separator: "\n").count == expected.count)
    }

    /// Three of the criteria were not marked, so there is no overall band, regardless of the fourth mark.
    @Test func noBandWithoutEvidence() {
        let page = ReportPage(MadeExam.content()).html
        #expect(page.contains("6.5"))
        #expect(page.contains("it was not marked"))
    }

    @Test(arguments: attacks) func textOfPeopleIsEscaped(_ attack: String) {
        let plain = ReportPage(MadeExam.content(question: "plain", text: "plain", comment: "plain")).html
        let page = ReportPage(MadeExam.content(question: attack, text: attack, comment: attack)).html
        // There are no more tags and attributes than with plain words. Only the place of the mistake in the text may
        // differ.
        for mark in ["<script", "<img", "<svg onload", "onerror=", "onclick=", "<style", "@import"] {
            let (before, after) = (plain.occurrences(of: mark), page.occurrences(of: mark))
            let escaped = attack.occurrences(of: mark) > 0 && !mark.hasPrefix("<")
            #expect(escaped || after == before, "\(mark): \(before), \(after)")
        }
    }

    @Test func threeStepsAtMost() {
        var content = MadeExam.content()
        content.steps = (1...5).map {
            NextStep(
                rule: "r\($0)", advice: "Advice \($0).", evidence: "Evidence.",
                figure: StepFigure("pauses", 1, "pauses", 0, error: 0))
        }
        let page = ReportPage(content).html
        #expect(page.contains("Advice 3.") && !page.contains("Advice 4."))
    }

    @Test func thePageLoadsNothingFromOutside() {
        let page = ReportPage(MadeExam.content(recording: ReportedSound(mediaType: "audio/mpeg", bytes: [1, 2, 3])))
            .html
        #expect(page.contains("default-src 'none'"))
        for place in ["http://", "https://", "src=\"/", "href=\"/", "@import", "url("] {
            // A reference to a pattern in the same file uses its id.
            let others = page.replacing("url(#", with: "")
            #expect(!others.contains(place), "\(place)")
        }
    }

    @Test func anExamWithoutAnswersIsAPage() {
        let page = ReportPage(ReportContent(session: "s", title: "t")).html
        #expect(page.contains("Nothing was answered."))
    }
}

extension String {
    fileprivate func occurrences(of part: String) -> Int { components(separatedBy: part).count - 1 }
}
