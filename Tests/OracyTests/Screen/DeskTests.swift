import ExamCore
import Testing

@testable import oracy

/// The effect of keys in each state of an exam.
@Suite struct DeskTests {
    @Test func keysWorkIfTheExamAllowsThem() throws {
        var rehearsal = try Rehearsal()
        var desk = rehearsal.desk()
        desk.show(rehearsal.after(0, .begin))
        #expect(desk.allowed == [.pause, .withdraw])
        #expect(desk.press(.text("r")) == nil, "the examiner is speaking")
        try rehearsal.toFirstAnswer()
        desk.show(rehearsal.view)
        #expect(desk.press(.text("r")) == .wish(.repeat))
        #expect(desk.press(.text("R")) == .wish(.repeat))
        #expect(desk.press(.text("s")) == nil)
        #expect(desk.press(.text("f")) == nil, "no rule of this format may be declared over")
        #expect(desk.press(.text("p")) == .wish(.pause))
        #expect(desk.press(.text(" ")) == .wish(.pause))
        desk.show(rehearsal.after(1, .asked(.pause)))
        #expect(desk.allowed == [.continue, .withdraw])
        #expect(desk.press(.text("p")) == .wish(.continue))
        desk.show(rehearsal.after(1, .deviceLost(.microphoneMuted)))
        #expect(desk.allowed == [.withdraw])
        #expect(desk.press(.text("p")) == nil, "a key brings no microphone back")
    }

    @Test func aTestKnowsNoPauseAndNoSkipping() throws {
        var rehearsal = try Rehearsal(mode: .test)
        var desk = rehearsal.desk()
        desk.show(try rehearsal.toPreparation())
        desk.show(rehearsal.after(31))
        #expect(desk.allowed == [.withdraw])
        #expect(desk.press(.tab) == nil)
        #expect(desk.press(.escape) == nil)
    }

    @Test func preparationIsSkippedFromTheFormatsMomentOn() throws {
        var rehearsal = try Rehearsal()
        var desk = rehearsal.desk()
        desk.show(try rehearsal.toPreparation())
        desk.show(rehearsal.after(9.9))
        #expect(desk.press(.tab) == nil)
        desk.show(rehearsal.after(0.1))
        #expect(desk.press(.tab) == .wish(.skip))
    }

    @Test func anAnswerIsDeclaredOverIfTheFormatAllows() throws {
        var rehearsal = try Rehearsal { script in
            for turn in script.turns.indices { script.turns[turn].answer?.finishableAfter = .seconds(2) }
        }
        var desk = rehearsal.desk()
        try rehearsal.toFirstAnswer()
        desk.show(rehearsal.view)
        #expect(desk.press(.text("f")) == nil)
        desk.show(rehearsal.after(2))
        #expect(desk.press(.text("f")) == .wish(.finish))
    }

    @Test func lettersAreNotesWhilePreparing() throws {
        var rehearsal = try Rehearsal()
        var desk = rehearsal.desk()
        desk.show(try rehearsal.toPreparation())
        for letter in "quiet prs f" { #expect(desk.press(.text(letter)) == nil) }
        #expect(desk.press(.pasted("one\r\ntwo\u{1B}[2J")) == nil)
        #expect(desk.notes.lines == ["quiet prs fone", "two[2J"])
        #expect(desk.press(.other) == nil)
        #expect(desk.press(.control("u")) == nil)
        #expect(desk.notes.lines == ["quiet prs fone", ""])
        #expect(desk.press(.escape) == .wish(.pause))
        #expect(desk.press(.control("p")) == .wish(.pause))
    }

    @Test func notesAreLockedInAPauseAndInTheTalk() throws {
        var rehearsal = try Rehearsal()
        var desk = rehearsal.desk()
        desk.show(try rehearsal.toPreparation())
        _ = desk.press(.text("a"))
        desk.show(rehearsal.after(1, .asked(.pause)))
        _ = desk.press(.text("b"))
        #expect(desk.press(.escape) == .wish(.continue), "the key that paused the exam continues it")
        desk.show(rehearsal.after(1, .asked(.continue)))
        _ = desk.press(.text("c"))
        desk.show(rehearsal.after(60))
        desk.show(try rehearsal.promptEnds())
        _ = desk.press(.text("d"))
        #expect(desk.notes.text == "ac")
        #expect(desk.notesShown && !desk.notesOpen)
        desk.show(rehearsal.after(0, .asked(.withdraw)))
        #expect(!desk.notesShown)
    }

    /// The rest of a word must not act as the keys "repeat", "pause" and "leave".
    @Test func aWordCutOffByPreparationIsNotARowOfKeys() throws {
        var rehearsal = try Rehearsal()
        var desk = rehearsal.desk()
        desk.show(try rehearsal.toPreparation())
        _ = desk.press(.text("b"))
        desk.show(rehearsal.after(60))
        for letter in "ridge p q l" { #expect(desk.press(.text(letter)) == nil) }
        #expect(desk.question == nil)
        #expect(desk.notes.text == "b")
        desk.heard(-60, at: rehearsal.now + .seconds(2))
        #expect(desk.press(.text("p")) == .wish(.pause))
    }

    @Test func leavingIsAskedAndWithdrawingTwice() throws {
        var rehearsal = try Rehearsal()
        var desk = rehearsal.desk()
        #expect(desk.press(.control("c")) == .leave, "nothing has begun")
        try rehearsal.toFirstAnswer()
        desk.show(rehearsal.view)
        func press(_ keys: Key...) -> CandidateAction? { keys.map { desk.press($0) }.last! }
        #expect(press(.text("q"), .text("l")) == .leave)
        #expect(press(.control("c"), .text("r")) == nil, "any other key continues the exam")
        #expect(desk.question == nil)
        #expect(press(.text("q"), .text("w")) == nil)
        #expect(desk.question == .withdrawing)
        #expect(press(.text("n")) == nil)
        #expect(press(.text("q"), .text("y")) == nil)
        #expect(press(.text("q"), .text("w"), .text("w")) == nil)
        #expect(press(.text("q"), .control("c"), .control("c"), .text("w"), .text("y")) == .wish(.withdraw))
        desk.show(rehearsal.after(1, .asked(.withdraw)))
        #expect(press(.text("q")) == nil)
        #expect(press(.control("c")) == .leave)
    }

    @Test func notesBelongToTheirTurn() throws {
        var rehearsal = try Rehearsal()
        var desk = rehearsal.desk(notes: "kept")
        try rehearsal.toFirstAnswer()
        desk.show(rehearsal.view)
        #expect(!desk.notesShown)
        desk.show(try rehearsal.toPreparation())
        #expect(desk.notesShown && desk.notes.text == "kept")
    }

    @Test func theMeterRisesAtOnceAndFallsSlowly() throws {
        var desk = try Rehearsal().desk()
        desk.heard(-60, at: .zero)
        desk.heard(-20, at: .zero + .milliseconds(100))
        #expect(desk.level == -20)
        desk.heard(-60, at: .zero + .milliseconds(200))
        #expect(desk.level == -22)
    }
}
