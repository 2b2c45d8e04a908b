import Assessment
import Testing

@testable import Reports

@Suite struct TellingsPageTests {
    private static let first = Telling(name: "First <1>", timeline: MadeExam.sound.timeline)
    private static let second = Telling(
        name: "Second",
        timeline: SoundTimeline(
            duration: 7, span: TimeRange(0.5, 6.5), silences: [TimeRange(2, 2.1), TimeRange(3, 3.5)],
            syllables: [1, 1.5, 4, 5], peaks: (0..<140).map { Double($0 % 10) / 10 }))

    private func page(_ tellings: [(telling: Telling, recording: ReportedSound?)]) -> String {
        TellingsPage(title: "4/3/2", verdict: "2 of 2 & more.", tellings: tellings).html
    }

    @Test func tellingsStandOnOneAxis() {
        let html = page([(Self.first, nil), (Self.second, nil)])
        // The time axis of both has 14 seconds in steps of 50 ms.
        #expect(html.ranges(of: "viewBox=\"0 0 280.0 100\"").count == 2)
        #expect(html.contains("First &lt;1&gt;") && !html.contains("First <1>") && html.contains("2 of 2 &amp; more."))
        // A silence shorter than a pause does not count.
        #expect(html.ranges(of: "<rect class=\"pause\"").count == 3)
        #expect(html.contains("Second: 7.0 seconds, 1 pause, 4 syllables"))
        #expect(!html.contains("<audio"))
    }

    @Test func measuresStandSideBySide() {
        let html = page([(Self.first, nil), (Self.second, nil)])
        #expect(html.contains("<tr><th scope=\"row\">Speech, seconds</th><td>11.4</td><td>5.5</td></tr>"))
        #expect(html.contains("<tr><th scope=\"row\">Longest pause, seconds</th><td>1.2</td><td>0.5</td></tr>"))
        let silent = page([(Telling(name: "x", timeline: SoundTimeline(duration: 2)), nil)])
        #expect(silent.contains("<tr><th scope=\"row\">Mean pause, seconds</th><td>–</td></tr>"))
    }

    @Test func aRecordingIsInTheFile() {
        let html = page([(Self.first, ReportedSound(mediaType: "audio/mpeg", bytes: [1, 2, 3]))])
        #expect(
            html.contains(
                "<audio controls preload=\"none\" aria-label=\"First &lt;1&gt;\" src=\"data:audio/mpeg;base64,AQID\"></audio>"
            ))
    }
}
