import Testing

@testable import ExamCore
@testable import oracy

/// Text from outside can't contain commands to a terminal, and everything has its place.
@Suite struct ScreenTextTests {
    /// Puts escape sequences into every place that may contain text of a paper, a format, a problem or notes.
    @Test(arguments: [Glyphs.unicode, .ascii])
    func noControlReachesTheTerminalRaw(_ glyphs: Glyphs) throws {
        let evil = "a\u{1B}[2J\u{9B}31m\u{7}\r\n\t\u{202E}\u{2028}b" + String(repeating: "\u{301}", count: 400)
        var rehearsal = try Rehearsal { script in
            for turn in script.turns.indices {
                for clip in script.turns[turn].prompt.indices { script.turns[turn].prompt[clip].text = evil }
                script.turns[turn].preparation?.start?.text = evil
                if script.turns[turn].card != nil {
                    script.turns[turn].card = Paper.Card(topic: evil, points: [evil, evil], explain: evil)
                }
            }
            for part in script.parts.indices { script.parts[part].title = evil }
        }
        rehearsal.problem = evil
        func desk() -> Desk {
            Desk(script: rehearsal.script, title: evil, paperTitle: evil, options: rehearsal.options(), notes: evil)
        }
        var lines: [String] = []
        var seen = desk()
        var told = Narration(desk(), glyphs: glyphs)
        func look() {
            seen.show(rehearsal.view)
            lines += ScreenFrame(seen, width: 80, height: 24, glyphs: glyphs).lines.map(\.text)
            lines += told.show(rehearsal.view)
        }
        rehearsal.after(0, .begin)
        look()
        try rehearsal.toPreparation()
        look()
        _ = seen.press(.pasted(evil))
        lines += told.type(evil).lines + told.type("notes").lines + told.type("help").lines
        look()
        rehearsal.after(60)
        look()
        try rehearsal.promptEnds()
        look()
        #expect(lines.count > 100)
        for line in lines {
            for scalar in line.unicodeScalars {
                let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
                #expect(!isControl && !["\u{202E}", "\u{2028}"].contains(scalar), "\(line.debugDescription)")
                if glyphs == .ascii { #expect(scalar.isASCII, "\(line.debugDescription)") }
            }
            #expect(line.allSatisfy { $0.unicodeScalars.count <= 8 })
        }
    }

    @Test func everyFrameFitsItsWindow() throws {
        var rehearsal = try Rehearsal()
        var desk = rehearsal.desk(notes: String(repeating: "語 bridge ", count: 60))
        var desks = [desk]
        try rehearsal.toPreparation()
        desk.show(rehearsal.view)
        desk.heard(-20, at: rehearsal.now)
        desks.append(desk)
        _ = desk.press(.control("c"))
        desks.append(desk)
        rehearsal.after(60)
        desk.show(try rehearsal.promptEnds())
        desks.append(desk)
        for desk in desks {
            for width in [1, 2, 3, 5, 8, 20, 59, 60, 80, 120, 300] {
                for height in [1, 2, 3, 5, 8, 15, 16, 24, 40, 100] {
                    let frame = ScreenFrame(desk, width: width, height: height, glyphs: .unicode)
                    #expect(frame.lines.count <= height)
                    #expect(frame.lines.allSatisfy { $0.text.columns <= width })
                    if let cursor = frame.cursor { #expect(cursor.row < height && cursor.column < width) }
                }
            }
        }
    }

    @Test func wordsWrapAndWideSignsCount() {
        #expect("one two three".wrapped(to: 7) == ["one two", "three"])
        #expect("abcdefgh ij".wrapped(to: 3) == ["abc", "def", "gh", "ij"])
        #expect("語語 語".wrapped(to: 4) == ["語語", "語"])
        #expect("語".wrapped(to: 1) == ["語"], "no endless search for room")
        #expect("abcdef".clipped(to: 4, ellipsis: "…") == "abc…")
        #expect("語語語".clipped(to: 4, ellipsis: "…") == "語…")
        #expect("e\u{301}🌉".columns == 3)
    }

    @Test(arguments: Exam.Trouble.allCases)
    func everyTroubleHasOneAdvice(_ trouble: Exam.Trouble) {
        #expect(trouble.advice.hasSuffix("."))
        #expect(trouble.advice.count < 160)
    }

    @Test func levelsAreWords() {
        #expect(
            [-100, -51, -49, -37, -26, -13, -11, 0].map { LevelWord($0).rawValue } == [
                "silent", "silent", "quiet", "good", "good", "good", "too loud", "too loud",
            ])
    }

    @Test func onlyChangedLinesAreWritten() {
        var canvas = Canvas(hasColour: true)
        var frame = ScreenFrame(lines: [.init(text: "one", ink: .strong), .init(text: "two")])
        #expect(canvas.paint(frame).contains("\u{1B}[1;1H\u{1B}[1mone\u{1B}[0m\u{1B}[K\u{1B}[2;1Htwo"))
        #expect(canvas.paint(frame) == "")
        frame.lines[1].text = "three"
        let change = canvas.paint(frame)
        #expect(change.contains("\u{1B}[2;1Hthree") && !change.contains("one"))
        frame.lines.removeLast()
        #expect(canvas.paint(frame).contains("\u{1B}[2;1H\u{1B}[K"), "a removed line is erased")
        canvas.forget()
        #expect(canvas.paint(frame).contains("one"))
        var plain = Canvas(hasColour: false)
        let warning = ScreenFrame(lines: [.init(text: "two", ink: .warning)])
        #expect(canvas.paint(warning).contains("[1;33m") && !plain.paint(warning).contains("33m"))
    }
}
