import Testing

@testable import Reports

/// Tests of subtitles as players show them.
@Suite struct SubtitleTests {
    @Test func onlyWhatCouldBeMarkupIsEscaped() {
        let text = MadeExam.content(text: "I don't say \"yes\" & I <b> --> no.").answers[0].webVTT
        let words = text.split(separator: "\n").filter { !$0.contains(":") && !$0.hasPrefix("[") }.dropFirst()
        #expect(words.joined(separator: " ") == "I don't say \"yes\" &amp; I &lt;b&gt; --&gt; no.")
    }
}
