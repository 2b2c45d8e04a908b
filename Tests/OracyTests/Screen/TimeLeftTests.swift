import ExamCore
import ExamKit
import Testing

@testable import oracy

/// The time left: when it is shown, and its value.
@Suite struct TimeLeftTests {
    @Test func preparationCountsDownBetweenTwoViews() throws {
        var rehearsal = try Rehearsal()
        let view = try rehearsal.toPreparation()
        let time = try #require(TimeLeft(view, in: rehearsal.script, at: rehearsal.now + .milliseconds(12_300)))
        #expect(time.left == .milliseconds(47_700) && time.whole == .seconds(60) && time.isPreparation)
        #expect(time.isShown(.bar) && !time.isShown(.warnings) && !time.isShown(.off))
    }

    @Test func warningsAreShownOnlyWhenDue() throws {
        var rehearsal = try Rehearsal()
        let view = try rehearsal.toPreparation()
        func warning(_ seconds: Double) -> Duration? {
            TimeLeft(view, in: rehearsal.script, at: rehearsal.now + .milliseconds(Int(seconds * 1000)))?.warning
        }
        #expect(warning(29.9) == nil)
        #expect(warning(30) == .seconds(30))
        #expect(warning(49.9) == .seconds(30))
        #expect(warning(50) == .seconds(10))
        #expect(warning(55) == .seconds(5))
        #expect(warning(99) == .seconds(5))
    }

    @Test func aTalksClockStandsUntilTheFirstWord() throws {
        var rehearsal = try Rehearsal()
        var view = try rehearsal.toTalk()
        var time = try #require(TimeLeft(view, in: rehearsal.script, at: rehearsal.now + .seconds(5)))
        #expect(time.left == .seconds(120) && time.whole == .seconds(120))
        view = rehearsal.after(5, .voiceBegan(rehearsal.now + .seconds(5)))
        time = try #require(TimeLeft(view, in: rehearsal.script, at: rehearsal.now + .seconds(10)))
        #expect(time.left == .seconds(110))
    }

    @Test func anAnswerWithoutMaximumHasNoBarUntilItsPartEnds() throws {
        var rehearsal = try Rehearsal()
        try rehearsal.toFirstAnswer()
        let view = rehearsal.after(0, .voiceBegan(rehearsal.now))
        let end = try #require(view.exam.answerLeft)
        var time = try #require(TimeLeft(view, in: rehearsal.script, at: rehearsal.now + end - .seconds(31)))
        #expect(time.whole == nil && !time.isShown(.bar) && !time.isShown(.warnings))
        time = try #require(TimeLeft(view, in: rehearsal.script, at: rehearsal.now + end - .seconds(9)))
        #expect(time.isShown(.bar) && time.isShown(.warnings) && !time.isShown(.off))
        #expect(time.warning == .seconds(10))
    }

    @Test func aPauseStopsTheClockThatIsShown() throws {
        var rehearsal = try Rehearsal()
        try rehearsal.toPreparation()
        let view = rehearsal.after(20, .asked(.pause))
        let time = try #require(TimeLeft(view, in: rehearsal.script, at: rehearsal.now + .seconds(100)))
        #expect(time.left == .seconds(40))
    }

    @Test func hiddenTimeIsNotShown() throws {
        var rehearsal = try Rehearsal()
        for shown in TimeShown.allCases {
            var desk = rehearsal.desk(time: shown)
            desk.show(try rehearsal.toPreparation())
            desk.heard(-60, at: rehearsal.now + .seconds(52))
            let text = ScreenFrame(desk, width: 80, height: 24, glyphs: .ascii).picture
            #expect(text.contains("Time left   [###.....................] 0:08  last 10 seconds") == (shown == .bar))
            #expect(text.contains("Time left   last 10 seconds") == (shown == .warnings))
            #expect(text.contains("Time") == (shown != .off))
        }
    }
}
