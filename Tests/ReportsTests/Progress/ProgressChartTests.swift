import Foundation
import FoundationXML
import Testing

@testable import Assessment
@testable import Reports

@Suite struct ProgressChartTests {
    private func exam(
        _ day: Int, speaking: Double, word: DeliveryWord? = .steady, rate: Double = 3, error: Double? = 4,
        band: ClosedRange<Double>? = nil
    ) -> ProgressExam {
        var measures = DeliveryMeasures()
        (measures.answers, measures.span, measures.pauseTime) = (1, 100, 100 * (1 - speaking))
        (measures.pauses, measures.runs, measures.longestPause) = (5, 6, 1.5)
        measures.syllables = Int(rate * 100)
        let delivery = DeliveryProfile(calibration: "made", measures: measures, word: word)
        let day = "2026-11-\(day < 10 ? "0" : "")\(day)"
        var exam = ProgressExam(
            session: "s\(day)", startedAt: "\(day)T10:00:00Z", day: day,
            of: ExamAssessment(session: "s", answers: [], parts: [], delivery: delivery),
            estimates: band.map { [Self.overall($0)] } ?? [])
        if let error { for measure in exam.values.keys { exam.values[measure]?.error = error } }
        return exam
    }

    private static func overall(_ band: ClosedRange<Double>) -> AspectEstimate {
        AspectEstimate(
            aspect: .overall, scale: .band,
            counted: .init(
                origin: .people, low: band.lowerBound, high: band.upperBound, sources: ["Ann"], seconds: 60,
                words: nil, isCompared: true, width: ""), beside: nil, narrower: "")
    }

    private func count(_ text: String, in whole: String) -> Int { whole.components(separatedBy: text).count - 1 }

    @Test func theChartIsWellFormedAndHasADescription() throws {
        let svg = ProgressChart([exam(1, speaking: 0.6), exam(2, speaking: 0.85)], title: "ielts <style> & more").svg
        let parser = XMLParser(data: Data(svg.utf8))
        #expect(parser.parse(), "\(String(describing: parser.parserError))")
        #expect(svg.contains("role=\"img\""))
        #expect(svg.contains("<title>Progress: ielts &lt;style&gt; &amp; more</title>"))
        #expect(svg.contains("<desc>2 exams, 2026-11-01 to 2026-11-02. time speaking: 85 % (± 4), before 60 % (± 4), "))
        #expect(count("<circle", in: svg) == 2 * ProgressMeasure.allCases.count)
        for measure in ProgressMeasure.allCases { #expect(svg.contains("\(measure.name), \(measure.unit)</text>")) }
    }

    /// A page takes the panels that a file has, and nothing else.
    @Test func eachPanelIsADrawingOfItsOwn() throws {
        let chart = ProgressChart(
            [exam(1, speaking: 0.6, band: 5...6.5), exam(2, speaking: 0.7)], title: "t", wanted: 7)
        #expect(chart.panels.map(\.id) == ["estimate"] + ProgressMeasure.allCases.map(\.rawValue))
        for panel in chart.panels {
            let parser = XMLParser(data: Data(panel.svg.utf8))
            #expect(parser.parse(), "\(panel.id): \(String(describing: parser.parserError))")
            #expect(panel.svg.hasPrefix("<svg ") && panel.svg.contains("<title>\(panel.title)</title>"))
        }
    }

    @Test func estimatesAreRangesBesideTheWantedBand() throws {
        let chart = ProgressChart(
            [exam(1, speaking: 0.6, band: 4.5...6.5), exam(2, speaking: 0.6), exam(3, speaking: 0.7, band: 5.5...6.5)],
            title: "t", wanted: 7)
        let panel = try #require(chart.panels.first)
        #expect(panel.title == "estimate, overall, bands")
        #expect(panel.words == "estimate: about 5.5 to 6.5, before about 4.5 to 6.5.")
        #expect(count("class=\"range\"", in: panel.svg) == 2 && !panel.svg.contains("<circle"))
        #expect(panel.svg.contains(">wanted: 7</text>"))
        #expect(ProgressChart([exam(1, speaking: 0.6)], title: "t", wanted: 7).panels.first?.id == "phonationTimeRatio")
    }

    @Test func pointsHaveTheirErrors() {
        let known = ProgressChart([exam(1, speaking: 0.6)], title: "t").svg
        #expect(count("class=\"error\"", in: known) == ProgressMeasure.allCases.count)
        #expect(known.contains("2026-11-01: 60 ± 4 %, steady</title>"))
        let unknown = ProgressChart([exam(1, speaking: 0.6, error: nil)], title: "t").svg
        #expect(unknown.contains("2026-11-01: 60 %, steady</title>"))
    }

    @Test func unjudgedPointsAreHollow() {
        let svg = ProgressChart([exam(1, speaking: 0.6, word: nil)], title: "t").svg
        #expect(count("class=\"hollow\"", in: svg) == count("<circle", in: svg))
        #expect(svg.contains("not judged</title>"))
    }

    @Test func moreSpeedIsNotShownAsBetter() {
        #expect(
            ProgressChart([exam(1, speaking: 0.6, rate: 4)], title: "t").svg.contains(
                "above 3.3, more speed brings nothing"))
    }

    /// An exam without a measure interrupts the line.
    @Test func gapsStayGaps() {
        var silent = exam(2, speaking: 0)
        silent.values = [:]
        let whole = ProgressChart([exam(1, speaking: 0.6), exam(2, speaking: 0.6), exam(3, speaking: 0.7)], title: "t")
            .svg
        let broken = ProgressChart([exam(1, speaking: 0.6), silent, exam(3, speaking: 0.7)], title: "t").svg
        #expect(whole.contains(/<path class="line" d="M[0-9. ]+L[0-9. ]+L/))
        #expect(!broken.contains(/<path class="line" d="[^"]*L/))
        #expect(count("<circle", in: broken) == 2 * ProgressMeasure.allCases.count)
    }

    @Test(arguments: [0, 1, 9, 300]) func anyNumberOfExamsFits(count exams: Int) {
        let svg = ProgressChart((0..<exams).map { exam(1 + $0 % 28, speaking: 0.7) }, title: "t").svg
        let dates = svg.matches(of: /font-size="11">2026-/).count / ProgressMeasure.allCases.count
        #expect(dates == min(exams, dates) && dates <= 4)
        #expect(exams == 0 || dates > 0)
        #expect(!svg.contains("nan") && !svg.contains("inf"))
    }

    @Test func theSameExamsGiveTheSameBytes() {
        let exams = (1...5).map { exam($0, speaking: 0.5 + Double($0) / 20) }
        #expect(ProgressChart(exams, title: "t").svg == ProgressChart(exams, title: "t").svg)
    }
}
