import Assessment
import Foundation
import FoundationXML
import Testing

@testable import Reports

@Suite struct ProgressChartTests {
    private func exam(_ day: Int, speaking: Double, word: DeliveryWord? = .steady, rate: Double = 3) -> EarlierExam {
        var measures = DeliveryMeasures()
        (measures.answers, measures.span, measures.pauseTime) = (1, 100, 100 * (1 - speaking))
        (measures.pauses, measures.runs, measures.longestPause) = (5, 6, 1.5)
        measures.syllables = Int(rate * 100)
        return EarlierExam(
            session: "s\(day)", startedAt: "2026-11-\(day < 10 ? "0" : "")\(day)T10:00:00Z",
            delivery: DeliveryProfile(calibration: "made", measures: measures, word: word), parts: [])
    }

    private func count(_ text: String, in whole: String) -> Int { whole.components(separatedBy: text).count - 1 }

    @Test func theChartIsWellFormedAndHasADescription() throws {
        let svg = ProgressChart([exam(1, speaking: 0.6), exam(2, speaking: 0.85)], title: "ielts <style> & more").svg
        let parser = XMLParser(data: Data(svg.utf8))
        #expect(parser.parse(), "\(String(describing: parser.parserError))")
        #expect(svg.contains("role=\"img\""))
        #expect(svg.contains("<title>Progress: ielts &lt;style&gt; &amp; more</title>"))
        #expect(svg.contains("<desc>2 exams, 2026-11-01 to 2026-11-02: time speaking from 60 to 85 %; "))
        #expect(count("<circle", in: svg) == 2 * ProgressMeasure.allCases.count)
        for measure in ProgressMeasure.allCases { #expect(svg.contains("\(measure.name), \(measure.unit)</text>")) }
    }

    @Test func unjudgedPointsAreHollow() {
        let svg = ProgressChart([exam(1, speaking: 0.6, word: nil)], title: "t").svg
        #expect(
            count("r=\"4\"", in: svg) == count("fill=\"#fff\"/>", in: svg) - 1 + count("fill=\"#fff\"><title>", in: svg)
        )
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
        silent.delivery.measures = DeliveryMeasures()
        let whole = ProgressChart([exam(1, speaking: 0.6), exam(2, speaking: 0.6), exam(3, speaking: 0.7)], title: "t")
            .svg
        let broken = ProgressChart([exam(1, speaking: 0.6), silent, exam(3, speaking: 0.7)], title: "t").svg
        #expect(whole.contains(/<path d="M[0-9. ]+L[0-9. ]+L/))
        #expect(!broken.contains(/<path d="[^"]*L/))
        #expect(count("<circle", in: broken) == 2 * ProgressMeasure.allCases.count)
    }

    @Test(arguments: [0, 1, 9, 300]) func anyNumberOfExamsFits(count exams: Int) {
        let svg = ProgressChart((0..<exams).map { exam(1 + $0 % 28, speaking: 0.7) }, title: "t").svg
        let dates = svg.matches(of: /text-anchor="middle"[^>]*>2026/).count
        #expect(dates == min(exams, dates) && dates <= 9)
        #expect(exams == 0 || dates > 0)
        #expect(!svg.contains("nan") && !svg.contains("inf"))
    }

    @Test func theSameExamsGiveTheSameBytes() {
        let exams = (1...5).map { exam($0, speaking: 0.5 + Double($0) / 20) }
        #expect(ProgressChart(exams, title: "t").svg == ProgressChart(exams, title: "t").svg)
    }
}
