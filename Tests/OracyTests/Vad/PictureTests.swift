import ExamCore
import Foundation
import Reports
import Testing
import VoiceActivity

@testable import oracy

/// The picture of a recording: 1200 units of time from x = 90 on.
@Suite struct PictureTests {
    /// Returns a trace of artificial frames of 10 ms, with a wave whose height depends on the frame's number.
    private func trace(_ frames: Int, _ frame: (Int) -> VoiceFrame, wave: (Int) -> Float = { _ in 0.1 }) -> HearingTrace
    {
        var trace = HearingTrace()
        for index in 0..<frames {
            trace.follow(FrameColumn(frame(index)))
            let sound = [wave(index), -wave(index)] + Array(repeating: Float(0), count: 158)
            sound.withUnsafeBufferPointer { trace.hear($0) }
        }
        return trace
    }

    private func quiet(_ index: Int) -> VoiceFrame {
        VoiceFrame(powers: .init(repeating: 1e-8), floor: .init(repeating: 1e-8), evidence: 0, threshold: 3)
    }

    private func file(_ name: String = "answer", seconds: Int, _ segments: [(Int, Int)] = []) -> HeardFile {
        HeardFile(
            name: name, path: name, duration: .seconds(seconds),
            sounds: segments.map {
                .init(start: .milliseconds($0.0), end: .milliseconds($0.1), levelDBFS: -20)
            })
    }

    private func drawing(
        seconds: Int, _ segments: [(Int, Int)] = [], marks: [HearingPlot.Mark] = [],
        dismissed: [HearingPlot.Dismissed] = []
    ) throws -> Drawing {
        try Drawing(
            HearingPlot(
                file(seconds: seconds, segments), trace(100 * seconds, quiet), marks: marks, dismissed: dismissed
            )
            .svg)
    }

    @Test func everyPanelHasItsNameAndUnit() throws {
        let texts = try drawing(seconds: 4, [(1_000, 2_000)]).texts
        for text in [
            "answer", "speech 1.000 s of 4.000 s (25 %), 1 segment", "Decisions", "Waveform, full scale ±1",
            "Bands, Hz",
            "−10 dBFS", "Evidence for a change, nats", "Level, mean over the bands, dBFS", "s",
        ] {
            #expect(texts.contains(text), "\(text) in \(texts)")
        }
        for centre in VoiceDetector.bandCentres { #expect(texts.contains("\(centre)")) }
    }

    @Test func thePictureBringsItsOwnBackground() throws {
        let drawing = try drawing(seconds: 1)
        let page = try #require(drawing.elements.first)
        let first = try #require(drawing.elements.first { !["svg", "title"].contains($0.name) })
        #expect(first.name == "rect" && first.attributes["fill"] == "#ffffff")
        #expect(first.attributes["width"] == page.attributes["width"])
        #expect(first.attributes["height"] == page.attributes["height"])
        #expect(page.attributes["font-family"] == "sans-serif")
    }

    @Test func speechIsShadedWhereItIs() throws {
        let drawing = try drawing(seconds: 4, [(1_000, 2_000), (3_000, 3_500)])
        let paths = drawing.elements.filter { $0.attributes["fill"] == "#1f9d6b" }.compactMap { $0.attributes["d"] }
        #expect(paths.count == 2, "speech is marked across all panels and in the first one")
        for path in paths {
            #expect(
                path.hasPrefix("M390 ") && path.contains("H690") && path.contains("M990 ") && path.contains("H1140"))
        }
    }

    @Test func aLoudBandIsDarkInItsRowAndItsTime() throws {
        // The highest band is loud in the second half, and the lowest one less so in the first.
        let trace = trace(200) { index in
            var frame = quiet(index)
            if index >= 100 { frame.powers[7] = 0.1 } else { frame.powers[0] = 2e-4 }
            return frame
        }
        let drawing = try Drawing(HearingPlot(file(seconds: 2), trace).svg)
        let darkest = drawing.elements.filter { $0.attributes["stroke"] == HeatColours.colour(HeatColours.count - 1) }
        #expect(darkest.map { $0.attributes["d"] } == ["m690 0h600"])
        let middle = try #require(HeatColours.index(ofLevel: -37))
        let paler = drawing.elements.filter { $0.attributes["stroke"] == HeatColours.colour(middle) }
        #expect(paler.map { $0.attributes["d"] } == ["m90 105h600"])
    }

    @Test func theScoreAndItsThresholdShareAScale() throws {
        let trace = trace(100) { index in
            VoiceFrame(
                powers: .init(repeating: 1e-3), floor: .init(repeating: 1e-6), evidence: index < 50 ? 0 : 10,
                threshold: 10,
                isVoiced: index >= 50)
        }
        let drawing = try Drawing(HearingPlot(file(seconds: 1), trace).svg)
        let evidence = try #require(
            drawing.elements.first { $0.attributes["stroke"] == Ink.evidence && $0.name == "path" })
        let threshold = try #require(drawing.elements.first { $0.attributes["stroke"] == Ink.threshold })
        let height = try #require(threshold.attributes["d"]?.split(separator: " ").last)
        #expect(threshold.attributes["d"] == "M96 \(height.split(separator: "L")[0])L1284 \(height)")
        #expect(evidence.attributes["d"]?.contains("L1284 \(height)") == true, "the evidence reaches what it must")
    }

    @Test func theHighestSampleOfALongRecordingIsSeen() throws {
        // Ten minutes with one click.
        let trace = trace(60_000, quiet) { $0 == 30_000 ? 0.9 : 0.001 }
        let drawing = try Drawing(HearingPlot(file(seconds: 600), trace).svg)
        #expect(drawing.texts.contains("−1") && drawing.texts.contains("1"), "the scale is the click's")
        #expect(drawing.texts.contains("5:00") && drawing.texts.contains("min:s"))
    }

    @Test(arguments: [60, 1_200])
    func thePictureIsOfBoundedSize(_ seconds: Int) {
        // The worst case: every value differs from its neighbours.
        var dice = SplitMix64(seed: 6)
        let trace = trace(100 * seconds) { _ in
            var frame = quiet(0)
            for band in 0..<8 { frame.powers[band] = pow(10, Float.random(in: -9...0, using: &dice)) }
            frame.evidence = .random(in: 0...20, using: &dice)
            frame.threshold = .random(in: 0...20, using: &dice)
            frame.floor = frame.powers
            return frame
        }
        let segments = (0..<seconds).map { (1_000 * $0, 1_000 * $0 + 500) }
        let svg = HearingPlot(file(seconds: seconds, segments), trace).svg
        #expect(svg.utf8.count < 300_000)
        #expect(svg.utf8.count > 50_000)
    }

    @Test func namesAreEscaped() throws {
        let svg = HearingPlot(file("<b>&\"5'\u{1B}\u{FFFF}", seconds: 1), trace(100, quiet)).svg
        #expect(try Drawing(svg).texts.contains("<b>&\"5'\u{FFFD}\u{FFFD}"))
    }

    @Test func theSameSoundGivesTheSamePicture() throws {
        let path = Tool.fixtures + "/answers/home-4.flac"
        let pictures = try (0..<2).map { _ in
            let (file, trace) = try Hearing.hear(path, as: "home-4", tracing: true)
            return HearingPlot(file, try #require(trace)).svg
        }
        #expect(pictures[0] == pictures[1])
        #expect(pictures[0].utf8.count < 200_000)
    }

    // MARK: - Marks and dismissed sounds

    @Test func aMarkIsALineWithItsReason() throws {
        let plain = try drawing(seconds: 4)
        #expect(!plain.elements.contains { $0.attributes["stroke"] == Ink.mark })
        let drawing = try drawing(seconds: 4, marks: [.init(atSeconds: 2, text: "silence of 1.5 s & more")])
        let line = try #require(drawing.elements.first { $0.attributes["stroke"] == Ink.mark })
        #expect(line.attributes["d"]?.hasPrefix("M690 ") == true)
        #expect(drawing.text("silence of 1.5 s & more")?.attributes["x"] == "694")
    }

    @Test func reasonsThatAreNearDoNotCoverEachOther() throws {
        let marks = [1.0, 1.1, 3, 3.99].map { HearingPlot.Mark(atSeconds: $0, text: "silence at \($0)") }
        let drawing = try drawing(seconds: 4, marks: marks)
        let notes = try marks.map { try #require(drawing.text($0.text)).attributes }
        #expect(notes[0]["y"] != notes[1]["y"], "one above the other")
        #expect(notes[0]["y"] == notes[2]["y"], "far apart, in one line")
        let last = try #require(notes[3]["x"].flatMap(Double.init))
        #expect(last + "silence at 3.99".width <= 1_290.1, "inside the picture")
    }

    @Test func surplusReasonsAppearAtThePointer() throws {
        let marks = (0..<20).map { HearingPlot.Mark(atSeconds: 2 + 0.001 * Double($0), text: "reason \($0)") }
        let drawing = try drawing(seconds: 4, marks: marks)
        #expect(drawing.texts.count { $0.hasPrefix("reason") } == 4)
        let titles = drawing.elements.filter { $0.name == "title" }.map(\.text)
        #expect(titles.count { $0.hasPrefix("reason") } == 20)
        #expect(drawing.elements.count { $0.attributes["stroke"] == Ink.mark } == 20)
    }

    @Test func aDismissedSoundIsHatched() throws {
        let plain = try drawing(seconds: 4)
        #expect(!plain.elements.contains { $0.name == "pattern" })
        let drawing = try drawing(seconds: 4, dismissed: [.init(seconds: 1..<1.5, text: "cough")])
        let pattern = try #require(drawing.elements.first { $0.name == "pattern" }?.attributes["id"])
        let hatched = drawing.elements.filter { $0.name == "path" && $0.attributes["fill"] == "url(#\(pattern))" }
        let path = try #require(hatched.first?.attributes["d"])
        #expect(hatched.count == 1 && path.split(separator: "M").count == 5, "in each of the five panels")
        #expect(path.hasPrefix("M390 ") && path.contains("H540"))
        #expect(drawing.texts.contains("cough") && drawing.texts.contains("dismissed"))
    }

    // MARK: - Parts

    @Test func aLongStreamIsFoldedWithoutAGap() {
        var stream = Folding<Extremes>(limit: 64)
        for index in 0..<10_001 { stream.append(Extremes(of: [Float(index)])) }
        #expect(stream.width == 256 && stream.count == 10_001)
        let columns = stream.columns(atMost: 10)
        #expect(columns.count == 10)
        #expect(columns.first?.range.lowerBound == 0 && columns.last?.range.upperBound == 10_001)
        for (column, next) in zip(columns, columns.dropFirst()) {
            #expect(column.range.upperBound == next.range.lowerBound)
        }
        for column in columns {
            #expect(column.element.range.lowerBound == Double(column.range.lowerBound))
            #expect(column.element.range.upperBound == Double(column.range.upperBound - 1))
        }
        #expect(Folding<Extremes>().columns(atMost: 10).isEmpty)
    }

    @Test(arguments: [
        (0.5, "0.15"), (3, "0.6"), (26, "6"), (100, "30"), (400, "1:30"), (1_200, "6:00"), (7_200, "30:00"),
        (100_000, "360:00"),
    ])
    func timesAreWrittenAsTheSpanNeeds(_ span: Double, _ third: String) {
        let ticks = TimeTicks(span: span)
        #expect(ticks.text(3 * ticks.step) == third)
        #expect(4...16 ~= span / ticks.step)
    }

    @Test func numbersAreShort() {
        #expect([0, -0.04, 12.34, -0.56, 100, 7.96].map(\.svg) == ["0", "0", "12.3", "-0.6", "100", "8"])
    }
}
