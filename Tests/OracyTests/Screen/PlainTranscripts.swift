import ExamCore
import Synchronization
import Testing

@testable import oracy

/// Tests of an exam that is printed line by line, for a screen reader or a pipe.
@Suite struct PlainTranscripts {
    /// A screen of lines that records its lines, wishes and notes.
    private final class Reading: Sendable {
        private let lines = Mutex<[String]>([])
        let wishes = Mutex<[CandidateAction]>([])
        let notes = Mutex<[String]>([])

        func screen(_ rehearsal: Rehearsal, _ options: ScreenOptions) -> PlainScreen {
            PlainScreen(
                script: rehearsal.script, title: rehearsal.title, paperTitle: rehearsal.paperTitle, options: options,
                notes: "", input: nil, glyphs: .unicode, sink: { line in self.lines.withLock { $0.append(line) } },
                act: { action in self.wishes.withLock { $0.append(action) } },
                keepNotes: { text in self.notes.withLock { $0.append(text) } })
        }

        func text() -> String { lines.withLock { $0.joined(separator: "\n") } }
    }

    @Test func aPartOfQuestions() throws {
        var rehearsal = try Rehearsal(mode: .test)
        let reading = Reading()
        let screen = reading.screen(rehearsal, rehearsal.options())
        screen.show(rehearsal.after(0, .begin))
        screen.show(try rehearsal.promptEnds())
        screen.show(rehearsal.after(0.6))
        screen.show(try rehearsal.promptEnds())
        screen.show(rehearsal.after(1, .voiceBegan(rehearsal.now)))
        screen.type("pause")
        screen.show(rehearsal.after(1, .voiceEnded(rehearsal.now)))
        screen.type("repeat")
        screen.show(rehearsal.after(0, .asked(.repeat)))
        screen.show(rehearsal.view)
        screen.show(try rehearsal.promptEnds())
        screen.show(rehearsal.after(1, .deviceLost(.microphoneMuted)))
        screen.show(rehearsal.after(1, .deviceBack))
        screen.type("hello?")
        screen.type("help")
        screen.type("withdraw")
        screen.type("no")
        screen.type("withdraw")
        screen.type(" YES ")
        rehearsal.storing = 1
        screen.show(rehearsal.after(1, .asked(.withdraw)))
        rehearsal.storing = 0
        screen.show(rehearsal.after(1, .takesStored))
        screen.close()
        #expect(
            reading.text() == """
                IELTS-style speaking test.
                Type help to hear what you can do.
                Part 1 of 3: Introduction and familiar topics.
                Examiner: Hello, and welcome. I am going to be your examiner today, and our conversation is being recorded.
                Question 1. Your introduction: it stays with you.
                Examiner: To begin with, please tell me your full name.
                Your turn.
                Not possible now: pause.
                Examiner: To begin with, please tell me your full name.
                Your turn.
                The microphone is muted. Turn it on; the question will then be asked again.
                The exam goes on.
                That is not a command. Type help to hear what you can do.
                You can type: level, leave, withdraw, help.
                The exam ends for good; what you said is kept. Type yes to withdraw for good.
                You did not withdraw. The exam goes on.
                The exam ends for good; what you said is kept. Type yes to withdraw for good.
                The exam is over. Thank you.
                1 answer is being stored.
                All answers are stored.
                """)
        #expect(reading.wishes.withLock { $0 } == [.wish(.repeat), .wish(.withdraw)])
    }

    @Test func aCardWithNotesAndWarnings() throws {
        var rehearsal = try Rehearsal(part: 2)
        let reading = Reading()
        let screen = reading.screen(rehearsal, rehearsal.options(text: false))
        screen.show(rehearsal.after(0, .begin))
        screen.show(try rehearsal.promptEnds())
        screen.show(rehearsal.after(rehearsal.script.clipGap.inSeconds))
        screen.show(try rehearsal.promptEnds())
        screen.type("stone, old")
        screen.type("my village")
        screen.type("skip")
        screen.type("notes")
        screen.type("")
        rehearsal.wait(32, on: screen)
        screen.show(rehearsal.after(0, .asked(.pause)))
        rehearsal.wait(40, on: screen)
        screen.show(rehearsal.after(0, .asked(.continue)))
        rehearsal.wait(28, on: screen)
        screen.show(try rehearsal.promptEnds())
        screen.type("too late a note")
        screen.show(rehearsal.after(0, .voiceBegan(rehearsal.now)))
        rehearsal.wait(2, hearing: -24, on: screen)
        screen.type("level")
        rehearsal.wait(118, hearing: -24, on: screen)
        screen.type("leave")
        screen.close()
        #expect(
            reading.text()
                == """
                IELTS-style speaking test. Practice. Home, mornings, maps; a bridge you remember.
                Type help to hear what you can do.
                Part 2: Long turn.
                Question 1.
                The examiner speaks.
                The card: Describe a bridge that you remember well.
                You should say:
                where it is
                what it looks like
                when you crossed it or saw it
                and explain why it has stayed in your memory.
                Preparation: 60 seconds. Type notes, a line at a time.
                Noted, line 1.
                Noted, line 2.
                Not possible now: skip.
                stone, old
                my village
                30 seconds left.
                Paused. Type continue to go on.
                The exam goes on.
                Preparation: 28 seconds. Type notes, a line at a time.
                10 seconds left.
                5 seconds left.
                Your turn: up to 120 seconds.
                That is not a command. Type help to hear what you can do.
                Microphone: good, −24 dB.
                30 seconds left.
                10 seconds left.
                5 seconds left.
                The examiner speaks.
                """)
        #expect(reading.wishes.withLock { $0 } == [.leave])
        #expect(reading.notes.withLock { $0 } == ["stone, old", "stone, old\nmy village"])
    }

    @Test func uploadsAreToldToACandidateWhoAsks() throws {
        var rehearsal = try Rehearsal(mode: .test)
        let reading = Reading()
        let screen = reading.screen(rehearsal, rehearsal.options())
        screen.show(rehearsal.after(0, .begin))
        screen.type("uploads")
        screen.show(UploadsShown(arrived: 2, open: 1, parked: 0, isAvailable: true))
        screen.type("uploads")
        screen.type("help")
        screen.close()
        #expect(
            reading.text().hasSuffix(
                """
                That is not a command. Type help to hear what you can do.
                Uploads: 2 arrived, 1 on the way.
                You can type: level, uploads, leave, withdraw, help.
                """), "\(reading.text())")
    }

    @Test func hiddenTimeIsNotSaid() throws {
        var rehearsal = try Rehearsal(part: 2)
        let reading = Reading()
        let screen = reading.screen(rehearsal, rehearsal.options(time: .off))
        screen.show(try rehearsal.toPreparation())
        rehearsal.wait(60, on: screen)
        screen.show(try rehearsal.promptEnds())
        screen.close()
        #expect(!reading.text().contains("second"))
        #expect(reading.text().contains("Preparation. Type notes"))
        #expect(reading.text().hasSuffix("\nYour turn."))
    }

    @Test func nothingIsSaidTwice() throws {
        var rehearsal = try Rehearsal()
        let reading = Reading()
        let screen = reading.screen(rehearsal, rehearsal.options())
        try rehearsal.toFirstAnswer()
        for _ in 0..<5 { screen.show(rehearsal.view) }
        screen.show(rehearsal.after(0, .asked(.pause)))
        for _ in 0..<5 { screen.show(rehearsal.view) }
        screen.close()
        let lines = reading.text().split(separator: "\n")
        #expect(Set(lines).count == lines.count)
        screen.show(rehearsal.after(0, .asked(.withdraw)))
        screen.close()
        #expect(reading.text().split(separator: "\n") == lines, "nothing is said when the screen is closed")
    }

    /// A problem is reported once, and so is its end.
    @Test func aProblemIsTakenBackWhenItIsOver() throws {
        var rehearsal = try Rehearsal()
        let reading = Reading()
        let screen = reading.screen(rehearsal, rehearsal.options())
        try rehearsal.toFirstAnswer()
        screen.show(rehearsal.view)
        rehearsal.problem = "The disk is full."
        for _ in 0..<3 { screen.show(rehearsal.view) }
        rehearsal.problem = nil
        for _ in 0..<3 { screen.show(rehearsal.view) }
        screen.close()
        // The screen writes on a queue. All lines are there once it is closed.
        let said = reading.text()
        #expect(said.hasSuffix("\nYour turn.\nProblem: The disk is full.\nThe problem is over."))
        #expect(said.split(separator: "roblem").count == 3, "each is said once: \(said)")
    }

    @Test func splitLinesAreRead() {
        var reader = LineReader()
        #expect(reader.read(Array("pau".utf8)) == [])
        #expect(reader.read(Array("se\nno\n\nl".utf8)) == ["pause", "no"])
        #expect(reader.rest() == ["l"])
        #expect(reader.read(Array(repeating: 0x61, count: 100_000) + [0x0A]).map(\.count) == [4096])
    }
}
