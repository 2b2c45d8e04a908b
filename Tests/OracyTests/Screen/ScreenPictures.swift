import ExamCore
import Testing

@testable import oracy

/// The candidate's screen in each state of an exam, as pictures of 60 × 16 unless another size is given.
@Suite struct ScreenPictures {
    @Test func theExaminerSpeaks() throws {
        var rehearsal = try Rehearsal()
        var desk = rehearsal.desk()
        sees(
            desk, height: 5,
            """
              IELTS-style speaking test · practice · Home, mornings, …

              ────────────────────────────────────────────────────────
              THE EXAM IS ABOUT TO BEGIN.

            """)
        desk.show(rehearsal.after(0, .begin))
        desk.heard(-100, at: rehearsal.now)
        sees(
            desk,
            """
              IELTS-style speaking test · practice · Home, mornings, …
              Part 1 of 3: Introduction and familiar topics
              ────────────────────────────────────────────────────────
              THE EXAMINER IS SPEAKING.

              Hello, and welcome. I am going to be your examiner
              today, and our conversation is being recorded.






              Microphone                     ▁         silent
              ────────────────────────────────────────────────────────
              p: pause   q: leave or withdraw
            """)
    }

    @Test func theCandidateHasTheWord() throws {
        var rehearsal = try Rehearsal(mode: .test)
        var desk = rehearsal.desk()
        try rehearsal.toFirstAnswer()
        desk.show(rehearsal.view)
        desk.heard(-41.6, at: rehearsal.now)
        sees(
            desk,
            """
              IELTS-style speaking test
              Question 1 · Part 1 of 3: Introduction and familiar top…
              ────────────────────────────────────────────────────────
              YOUR TURN: please speak.

              To begin with, please tell me your full name.







              Microphone                     ▃ −42 dB  quiet
              ────────────────────────────────────────────────────────
              r: repeat the question   q: leave or withdraw
            """)
        desk.show(rehearsal.after(1, .voiceBegan(rehearsal.now)))
        desk.heard(-4, at: rehearsal.now)
        sees(
            desk, height: 11,
            """
              IELTS-style speaking test
              Question 1 · Part 1 of 3: Introduction and familiar top…
              ────────────────────────────────────────────────────────
              LISTENING…

              To begin with, please tell me your full name.


              Microphone                    ▃█  −4 dB  too loud
              ────────────────────────────────────────────────────────
              r: repeat the question   q: leave or withdraw
            """)
        desk.show(rehearsal.after(1, .voiceEnded(rehearsal.now)))
        sees(
            desk, height: 11,
            """
              IELTS-style speaking test
              Question 1 · Part 1 of 3: Introduction and familiar top…
              ────────────────────────────────────────────────────────
              LISTENING… you may go on.

              To begin with, please tell me your full name.


              Microphone                    ▃█  −4 dB  too loud
              ────────────────────────────────────────────────────────
              r: repeat the question   q: leave or withdraw
            """)
    }

    @Test func theTextCanBeHidden() throws {
        var rehearsal = try Rehearsal()
        var desk = rehearsal.desk(text: false)
        try rehearsal.toFirstAnswer()
        desk.show(rehearsal.view)
        sees(
            desk, height: 11,
            """
              IELTS-style speaking test · practice · Home, mornings, …
              Question 1 · Part 1 of 3: Introduction and familiar top…
              ────────────────────────────────────────────────────────
              YOUR TURN: please speak.





              ────────────────────────────────────────────────────────
              r: repeat the question   p: pause   q: leave or withdraw
            """)
    }

    /// Three seconds of sound, of which a window of 60 columns shows the last two.
    @Test func theLastSecondsAreAWaveformAboveTheUploads() throws {
        var rehearsal = try Rehearsal(mode: .test)
        var desk = rehearsal.desk()
        try rehearsal.toFirstAnswer()
        desk.show(rehearsal.view)
        for tenth in 0..<40 { desk.heard(tenth < 20 ? -100 : Float(20 - tenth) * 3, at: rehearsal.now) }
        desk.show(UploadsShown(arrived: 2, open: 1, parked: 0, isAvailable: true))
        sees(
            desk, height: 10,
            """
              IELTS-style speaking test
              Question 1 · Part 1 of 3: Introduction and familiar top…
              ────────────────────────────────────────────────────────
              YOUR TURN: please speak.

              To begin with, please tell me your full name.
              Microphone  ███▇▇▇▆▆▅▅▅▄▄▃▃▃▂▂▁▁ −38 dB  good
              Uploads     2 arrived, 1 on the way
              ────────────────────────────────────────────────────────
              r: repeat the question   q: leave or withdraw
            """)
        #expect(frame(desk, width: 80, height: 10).picture.contains("Microphone  ▁▁▁▁▁▁▁▁▁▁███▇▇▇"))
        let words = [
            UploadsShown(arrived: 0, open: 3, parked: 0, isAvailable: false),
            UploadsShown(arrived: 4, open: 0, parked: 1, isAvailable: true),
            UploadsShown(arrived: 0, open: 0, parked: 0, isAvailable: true),
        ].map(\.words)
        #expect(words == ["3 will be sent later", "4 arrived, 1 for you to look at: oracy uploads", "none yet"])
    }

    @Test func theCardComesWithNotesAndACountdown() throws {
        var rehearsal = try Rehearsal()
        var desk = rehearsal.desk()
        desk.show(try rehearsal.toPreparation())
        for key in "stone, old".map(Key.text) + [.enter] + "my village".map(Key.text) { _ = desk.press(key) }
        desk.show(rehearsal.after(17))
        desk.heard(-64, at: rehearsal.now)
        sees(
            desk, width: 80, height: 24,
            """
              IELTS-style speaking test · practice · Home, mornings, maps; a bridge you r…
              Question 1 · Part 2 of 3: Long turn
              ────────────────────────────────────────────────────────────────────────────
              PREPARE: you may write notes.

              ╭──────────────────────────────────────────────────────────────────────╮
              │ Describe a bridge that you remember well.                            │
              │ You should say:                                                      │
              │   • where it is                                                      │
              │   • what it looks like                                               │
              │   • when you crossed it or saw it                                    │
              │ and explain why it has stayed in your memory.                        │
              ╰──────────────────────────────────────────────────────────────────────╯

              Your notes (Ctrl-W: erase a word, Ctrl-U: a line)
              │ stone, old
              │ my village



              Time left   █████████████████░░░░░░░ 0:43
              Microphone                               ▁ −64 dB  silent
              ────────────────────────────────────────────────────────────────────────────
              Tab: skip ahead   Esc: pause   Ctrl-C: leave or withdraw
            """)
        #expect(frame(desk, width: 80, height: 24).cursor == .init(row: 16, column: 14))
        sees(
            desk,
            """
              IELTS-style speaking test · practice · Home, mornings, …
              Question 1 · Part 2 of 3: Long turn
              ────────────────────────────────────────────────────────
              PREPARE: you may write notes.
              Describe a bridge that you remember well.
              You should say: where it is; what it looks like; when
              you crossed it or saw it; and explain why it has stayed
              in your memory.
              Your notes (Ctrl-W: erase a word, Ctrl-U: a line)
              │ stone, old
              │ my village

              Time left   ██████████████░░░░░░ 0:43
              Microphone                     ▁ −64 dB  silent
              ────────────────────────────────────────────────────────
              Tab: skip ahead   Esc: pause   Ctrl-C: leave or withdraw
            """)
        sees(
            desk, width: 40, height: 7,
            """
              IELTS-style speaking test · practic…
              Question 1 · Part 2 of 3: Long turn
              ────────────────────────────────────
              PREPARE: you may write notes.
              Time left   ██████░░ 0:43
              Microphone         ▁ −64 dB  silent
              ────────────────────────────────────
            """)
        sees(
            desk, height: 20, glyphs: .ascii,
            """
              IELTS-style speaking test - practice - Home, mornings...
              Question 1 - Part 2 of 3: Long turn
              --------------------------------------------------------
              PREPARE: you may write notes.
              +------------------------------------------------------+
              | Describe a bridge that you remember well.            |
              | You should say:                                      |
              |   - where it is                                      |
              |   - what it looks like                               |
              |   - when you crossed it or saw it                    |
              | and explain why it has stayed in your memory.        |
              +------------------------------------------------------+
              Your notes (Ctrl-W: erase a word, Ctrl-U: a line)
              | stone, old
              | my village

              Time left   [##############......] 0:43
              Microphone                     _ -64 dB  silent
              --------------------------------------------------------
              Tab: skip ahead   Esc: pause   Ctrl-C: leave or withdraw
            """)
    }

    @Test func theNotesStayWithTheCardThroughTheTalk() throws {
        var rehearsal = try Rehearsal(mode: .test)
        var desk = rehearsal.desk(notes: "one\ntwo\nthree\nfour\nfive\nsix\nseven")
        try rehearsal.toTalk()
        desk.show(rehearsal.after(0, .voiceBegan(rehearsal.now)))
        desk.heard(-24, at: rehearsal.now + .seconds(112))
        sees(
            desk,
            """
              IELTS-style speaking test
              Question 1 · Part 2 of 3: Long turn
              ────────────────────────────────────────────────────────
              LISTENING…
              Describe a bridge that you remember well.
              You should say: where it is; what it looks like; when
              you crossed it or saw it; and explain why it has stayed
              in your memory.
              Your notes
              │ one / two / three / four / five / six / seven


              Time left   █░░░░░░░░░░░░░░░░░░░ 0:08  last 10 seconds
              Microphone                     ▅ −24 dB  good
              ────────────────────────────────────────────────────────
              r: repeat the question   q: leave or withdraw
            """)
    }

    @Test func aPauseIsAWordAndALostDeviceAnAdvice() throws {
        var rehearsal = try Rehearsal()
        var desk = rehearsal.desk()
        try rehearsal.toFirstAnswer()
        desk.show(rehearsal.after(0, .asked(.pause)))
        desk.heard(-70, at: rehearsal.now)
        sees(
            desk, height: 11,
            """
              IELTS-style speaking test · practice · Home, mornings, …
              Question 1 · Part 1 of 3: Introduction and familiar top…
              ────────────────────────────────────────────────────────
              PAUSED. The clock stands still.

              To begin with, please tell me your full name.


              Microphone                     ▁ −70 dB  silent
              ────────────────────────────────────────────────────────
              p: continue   q: leave or withdraw
            """)
        desk.show(rehearsal.after(1, .deviceLost(.microphoneMuted)))
        sees(
            desk, height: 11,
            """
              IELTS-style speaking test · practice · Home, mornings, …
              Question 1 · Part 1 of 3: Introduction and familiar top…
              ────────────────────────────────────────────────────────
              INTERRUPTED. The microphone is muted. Turn it on; the
              question will then be asked again.

              To begin with, please tell me your full name.


              ────────────────────────────────────────────────────────
              q: leave or withdraw
            """)
    }

    @Test func leavingIsAskedInWords() throws {
        var rehearsal = try Rehearsal()
        var desk = rehearsal.desk()
        try rehearsal.toFirstAnswer()
        desk.show(rehearsal.view)
        _ = desk.press(.text("q"))
        sees(
            desk, height: 14,
            """
              IELTS-style speaking test · practice · Home, mornings, …
              Question 1 · Part 1 of 3: Introduction and familiar top…
              ────────────────────────────────────────────────────────
              YOUR TURN: please speak.

              To begin with, please tell me your full name.



              ────────────────────────────────────────────────────────
              Leave the exam?
              w: withdraw, the exam ends for good
              l: leave, go on later with `oracy resume`
              any other key: go on
            """)
        _ = desk.press(.text("w"))
        sees(
            desk, height: 14,
            """
              IELTS-style speaking test · practice · Home, mornings, …
              Question 1 · Part 1 of 3: Introduction and familiar top…
              ────────────────────────────────────────────────────────
              YOUR TURN: please speak.

              To begin with, please tell me your full name.




              ────────────────────────────────────────────────────────
              Withdraw? The exam ends for good; what you said is kept.
              y: yes, withdraw
              any other key: go on
            """)
    }

    @Test func theEndSaysWhatIsStillStored() throws {
        var rehearsal = try Rehearsal()
        var desk = rehearsal.desk()
        try rehearsal.toFirstAnswer()
        rehearsal.storing = 2
        rehearsal.problem = "takes/part1_q1.opus: no space left on device; the take stays WAV"
        desk.show(rehearsal.after(0, .asked(.withdraw)))
        sees(
            desk, height: 7,
            """
              IELTS-style speaking test · practice · Home, mornings, …

              ────────────────────────────────────────────────────────
              THE EXAM IS OVER. 2 answers are being stored.

              Problem: takes/part1_q1.opus: no space left on device;
              the take stays WAV
            """)
        rehearsal.storing = 0
        rehearsal.problem = nil
        desk.show(rehearsal.after(0, .takesStored))
        sees(
            desk, height: 5,
            """
              IELTS-style speaking test · practice · Home, mornings, …

              ────────────────────────────────────────────────────────
              THE EXAM IS OVER. All answers are stored.

            """)
    }

    /// Compares the screen's text. `Canvas` adds colour and weight.
    private func sees(
        _ desk: Desk, width: Int = 60, height: Int = 16, glyphs: Glyphs = .unicode, _ picture: String,
        at place: SourceLocation = #_sourceLocation
    ) {
        #expect(frame(desk, width: width, height: height, glyphs: glyphs).picture == picture, sourceLocation: place)
    }

    private func frame(_ desk: Desk, width: Int, height: Int, glyphs: Glyphs = .unicode) -> ScreenFrame {
        ScreenFrame(desk, width: width, height: height, glyphs: glyphs)
    }
}
