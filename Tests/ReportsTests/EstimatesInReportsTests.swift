import Foundation
import Testing

@testable import Assessment
@testable import Reports

/// The estimates of a report, and the wanted band beside them.
@Suite struct EstimatesInReportsTests {
    private func estimate(_ aspect: AspectEstimate.Aspect, _ scale: AspectEstimate.Scale) -> AspectEstimate {
        AspectEstimate(
            aspect: aspect, scale: scale,
            counted: .init(
                origin: .people, low: 4.5, high: 6, sources: ["Ann"], seconds: 60, words: nil, isCompared: true,
                width: ""), beside: nil, narrower: "")
    }

    private func page(_ estimates: [AspectEstimate], goal: (Double, String)?) -> String {
        var content = ReportContent(session: "s", title: "t", estimates: estimates)
        content.goal = goal
        return ReportPage(content).html
    }

    private func marks(in page: String) -> Int { page.components(separatedBy: "class=\"wanted\"").count - 1 }

    @Test func theWantedBandIsDrawnIntoTheOverallBand() throws {
        let estimates = [estimate(.overall, .band), estimate(.fluency, .band), estimate(.prosody, .listeners)]
        let drawn = page(estimates, goal: (6.75, "You want <it>."))
        #expect(marks(in: drawn) == 1)
        // Three quarters of nine bands.
        #expect(drawn.contains("<line class=\"wanted\" x1=\"75.0\" y1=\"0\" x2=\"75.0\" y2=\"8\"/>"), "\(drawn)")
        #expect(drawn.contains("aria-label=\"about 4.5 to 6 of 9, wanted 6.75\""), "\(drawn)")
        #expect(drawn.contains("<p><strong>Goal:</strong> You want &lt;it&gt;. The upright line marks it.</p>"))
    }

    @Test func withoutAnOverallBandOrAGoalNothingIsDrawn() {
        let listeners = page([estimate(.prosody, .listeners)], goal: (7, "You want it."))
        #expect(marks(in: listeners) == 0 && listeners.contains("<p><strong>Goal:</strong> You want it.</p>"))
        let without = page([estimate(.overall, .band)], goal: nil)
        #expect(marks(in: without) == 0 && !without.contains("Goal:"))
    }
}
