import Testing

@testable import ExamCore
@testable import ExamKit
@testable import oracy

/// A real exam without sound. The test supplies its events and gets the views for a screen.
struct Rehearsal {
    private(set) var exam: Exam
    private(set) var now = ExamTime.zero
    var storing = 0
    var problem: String?
    let title: String
    let paperTitle: String

    var script: ExamScript { exam.script }
    var view: SessionView { SessionView(at: now, exam: exam.view(at: now), storing: storing, problem: problem) }

    init(
        _ format: String = "ielts-style",
        paper: String = "bridges",
        part: Int? = nil,
        mode: ExamOptions.Mode = .practice,
        change: (inout ExamScript) -> Void = { _ in }
    ) throws {
        let format = try ExamFormat.builtIn(format)
        let paper = try Paper.builtIn(paper)
        let (script, validation) = ExamScript.assemble(format, paper, options: ExamOptions(mode: mode, part: part))
        var assembled = try #require(script, "\(validation.errors)")
        change(&assembled)
        title = format.title
        paperTitle = paper.title
        exam = Exam(assembled)
    }

    func options(text: Bool = true, time: TimeShown = .bar) -> ScreenOptions {
        ScreenOptions(showsText: text, timeShown: time, mode: script.options.mode)
    }

    func desk(text: Bool = true, time: TimeShown = .bar, notes: String = "") -> Desk {
        Desk(
            script: script, title: title, paperTitle: paperTitle, options: options(text: text, time: time), notes: notes
        )
    }

    /// Performs an event after a number of seconds.
    @discardableResult
    mutating func after(_ seconds: Double, _ event: Exam.Event = .timePassed) -> SessionView {
        let end = now + .milliseconds(Int((seconds * 1000).rounded()))
        // Time passes in blocks of 20 ms, as in a room.
        while now < end {
            now = min(now + .milliseconds(20), end)
            _ = exam.handle(.timePassed, at: now)
        }
        _ = exam.handle(event, at: now)
        return view
    }

    /// Makes the examiner, who is speaking, fall silent two seconds later.
    @discardableResult
    mutating func promptEnds() throws -> SessionView {
        guard case .speaking(let speech) = exam.phase else {
            Issue.record("the examiner is not speaking")
            return view
        }
        return after(2, .promptEnded(speech.clip.id))
    }

    /// Goes to the first answer of Part 1, before its first word.
    mutating func toFirstAnswer() throws {
        after(0, .begin)
        try promptEnds()  // Good day.
        after(script.turnGap.inSeconds)
        try promptEnds()
    }

    /// Goes to the preparation of the card, in a rehearsal of all parts or of Part 2 alone. Its clock has just begun.
    @discardableResult
    mutating func toPreparation() throws -> SessionView {
        let turn = try #require(script.turns.firstIndex { $0.preparation != nil })
        exam.phase = .gap(Exam.Prompt(turn: turn, clip: script.turns[turn].prompt.count - 1), until: now)
        after(0.02)
        return try promptEnds()
    }

    /// Goes to the talk about the card, before its first word.
    @discardableResult
    mutating func toTalk() throws -> SessionView {
        try toPreparation()
        after(60)
        return try promptEnds()
    }
}

extension Rehearsal {
    /// Lets seconds pass as a session shows them: each new view, and the level ten times a second.
    mutating func wait(_ seconds: Double, hearing level: Float = -60, on screen: any ExamScreen) {
        for _ in 0..<Int((seconds * 10).rounded()) {
            let before = exam
            after(0.1)
            if exam != before { screen.show(view) }
            screen.heard(level: level, at: now)
        }
    }
}

extension Duration {
    var inSeconds: Double { Double(milliseconds) / 1000 }
}
