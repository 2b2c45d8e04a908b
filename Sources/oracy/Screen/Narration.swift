import ExamCore
import ExamKit

/// An exam as lines of text. Each line reports one change, and none is repeated.
struct Narration: Sendable {
    var desk: Desk
    let glyphs: Glyphs
    /// Whether the next line answers the question to end the exam for good.
    var isWithdrawing = false
    /// The turn whose card, picture or alternatives have been read out.
    private var cardTold: Int?
    /// The turn whose text to read aloud has been shown.
    private var textTold: Int?
    /// The last choice that was reported.
    private var choiceTold: Int?
    /// The turn in which the line "The examiner speaks." has been shown, if the words are hidden.
    private var speechTold: Int?
    /// The time left at the last look, with the clock that it belongs to.
    private var clock: (of: Clock, left: Duration)?

    private struct Clock: Equatable {
        var turn: Int?
        var isPreparation: Bool
    }

    init(_ desk: Desk, glyphs: Glyphs) {
        self.desk = desk
        self.glyphs = glyphs
    }

    // MARK: - News of the session

    mutating func show(_ view: SessionView) -> [String] {
        let before = desk.view
        desk.show(view)
        var lines: [String] = []
        if before == nil { lines += welcome }
        switch view.exam.stage {
        case .preparation: break
        case .testing: lines += place(view, before) + activity(view, before)
        case .processing where before?.exam.stage != .processing:
            isWithdrawing = false
            lines.append("The exam is over. Thank you.")
            if view.storing > 0 { lines.append(view.storingWords) }
        case .processing: break
        case .completed where before?.exam.stage != .completed:
            if before?.exam.stage != .processing { lines.append("The exam is over. Thank you.") }
            lines.append("All answers are stored.")
        case .completed: break
        }
        if view.problem != before?.problem {
            lines.append(view.problem.map { "Problem: " + $0 } ?? "The problem is over.")
        }
        return (lines + timeLines()).map { glyphs.text($0) }
    }

    mutating func heard(_ level: Float, at now: ExamTime) -> [String] {
        desk.heard(level, at: now)
        return timeLines()
    }

    private var welcome: [String] {
        [
            ([desk.title] + desk.subtitle).map { $0.prefix(1).uppercased() + $0.dropFirst() + "." }.joined(
                separator: " "),
            "Type help to hear what you can do.",
        ]
    }

    private func place(_ view: SessionView, _ before: SessionView?) -> [String] {
        var lines: [String] = []
        if view.exam.part != before?.exam.part, let part = view.partWords(in: desk.script) { lines.append(part + ".") }
        if view.exam.turn != before?.exam.turn, let number = view.exam.questionNumber, number > 0 {
            let remark =
                view.exam.isIntroduction
                ? " Your introduction: it stays with you."
                : view.exam.isPractice ? " For practice: it does not count." : ""
            lines.append("Question \(number)." + remark)
        }
        return lines
    }

    private mutating func activity(_ view: SessionView, _ before: SessionView?) -> [String] {
        let exam = view.exam
        let was = before?.exam
        if exam.activity == .suspended {
            if was?.activity == .suspended, was?.trouble == exam.trouble { return [] }
            return [exam.trouble?.advice ?? "Paused. Type continue to go on."]
        }
        var lines = was?.activity == .suspended ? ["The exam goes on."] : []
        switch exam.activity {
        case .examinerSpeaking:
            if was?.activity != .examinerSpeaking || was?.text != exam.text || was?.turn != exam.turn {
                lines += examiner(exam)
            }
        case .preparing:
            lines += choice(exam)
            guard was?.activity != .preparing, exam.preparationLeft != nil else { break }
            lines += card(exam) + toRead(exam) + [preparation(exam)]
        case .waitingForSpeech, .speaking, .closing:
            lines += choice(exam)
            guard was?.recording == nil else { break }
            speechTold = nil
            lines += card(exam) + toRead(exam) + [yourTurn(exam)]
        case .idle, .transition, .suspended: break  // A pause with nothing to report.
        }
        return lines
    }

    private mutating func examiner(_ exam: ExamView) -> [String] {
        if desk.options.showsText, let text = exam.text { return ["Examiner: " + text] }
        guard speechTold != exam.turn else { return [] }
        speechTold = exam.turn
        return ["The examiner speaks."]
    }

    private mutating func card(_ exam: ExamView) -> [String] {
        guard cardTold != exam.turn else { return [] }
        cardTold = exam.turn
        choiceTold = exam.chosen
        let card = exam.card.map { ["The card: " + $0.topic, "You should say:"] + $0.points + [$0.explain] }
        let choosing = exam.chosen == nil && !exam.alternatives.isEmpty
        return TaskLines(exam).paragraphs + (card ?? []) + (choosing ? ["Type first or second to choose A or B."] : [])
    }

    private mutating func choice(_ exam: ExamView) -> [String] {
        guard cardTold == exam.turn, let chosen = exam.chosen, chosen != choiceTold else { return [] }
        choiceTold = chosen
        return ["You chose \(chosen == 0 ? "A" : "B"): \(exam.alternatives[chosen].title)."]
    }

    /// Shows a text to read aloud, once. No one speaks it for the candidate.
    private mutating func toRead(_ exam: ExamView) -> [String] {
        guard let turn = exam.turn, turn != textTold, desk.script.turns[turn].toRead != nil else { return [] }
        textTold = turn
        return exam.text.map { ["Read aloud: " + $0] } ?? []
    }

    private func preparation(_ exam: ExamView) -> String {
        let time = desk.options.timeShown == .off ? nil : exam.preparationLeft?.spoken
        return (time.map { "Preparation: \($0)." } ?? "Preparation.")
            + (exam.notesAllowed ? " Type notes, a line at a time." : "")
    }

    private func yourTurn(_ exam: ExamView) -> String {
        guard desk.options.timeShown == .bar, let time = desk.timeLeft, let whole = time.whole, time.left == whole
        else { return "Your turn." }
        return "Your turn: up to \(whole.spoken)."
    }

    /// The format's warnings, each when its time comes. A warning that had already passed when the answer began is left
    /// out.
    private mutating func timeLines() -> [String] {
        guard let view = desk.view, view.exam.stage == .testing, let time = desk.timeLeft else { return [] }
        let of = Clock(turn: view.exam.turn, isPreparation: time.isPreparation)
        defer { clock = (of, time.left) }
        guard desk.options.timeShown != .off, let clock, clock.of == of, let warning = time.warning,
            clock.left > warning
        else { return [] }
        return ["\(warning.spoken) left."]
    }
}
