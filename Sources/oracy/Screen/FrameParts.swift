import ExamCore
import ExamKit

/// The blocks of a screen, each as lines of at most `columns` columns.
struct FrameParts {
    typealias Line = ScreenFrame.Line

    /// The layouts of the middle of a screen, from the most spacious to the tightest.
    enum Way: CaseIterable {
        case roomy
        /// Without empty lines.
        case close
        /// The card without its frame.
        case bare
        /// The card's points in one sentence.
        case terse
    }

    /// The longest line of text: the eye takes in no more at once.
    private static let longestLine = 72

    let desk: Desk
    let columns: Int
    let glyphs: Glyphs
    private var textColumns: Int { min(columns, Self.longestLine) }

    init(_ desk: Desk, columns: Int, glyphs: Glyphs) {
        self.desk = desk
        self.columns = columns
        self.glyphs = glyphs
    }

    var rule: Line { Line(text: String(repeating: glyphs.rule, count: columns), ink: .faint) }

    var header: [Line] {
        let names = ([desk.title] + desk.subtitle).map { glyphs.text($0) }
        var place: [String] = []
        if let view = desk.view, let part = view.partWords(in: desk.script) {
            if let number = view.exam.questionNumber, number > 0 { place.append("Question \(number)") }
            place.append(glyphs.text(part))
            if view.exam.isIntroduction {
                place.append("Your introduction: it stays with you")
            } else if view.exam.isPractice {
                place.append("For practice: it does not count")
            }
        }
        let dot = " \(glyphs.dot) "
        return [
            Line(text: names.joined(separator: dot).clipped(to: columns, ellipsis: glyphs.ellipsis), ink: .faint),
            Line(text: place.joined(separator: dot).clipped(to: columns, ellipsis: glyphs.ellipsis)),
            rule,
        ]
    }

    /// Returns the state and its subject: words or card.
    func middle(_ way: Way) -> [Line] {
        let gap = way == .roomy ? [Line(text: "")] : []
        var blocks = [state]
        let exam = desk.view?.exam
        // If a turn has a card, the card is its question.
        let isRead = exam?.turn.map { desk.script.turns[$0].toRead != nil } ?? false
        let words =
            (desk.options.showsText || isRead) && (exam?.card == nil || exam?.activity == .examinerSpeaking)
            && exam?.together.isEmpty ?? true
        if words, let text = exam?.text, exam?.stage == .testing {
            blocks.append(lines(glyphs.text(text)))
        }
        if let exam, exam.stage == .testing { blocks += TaskLines(exam).paragraphs.map { lines(glyphs.text($0)) } }
        if let card = exam?.card { blocks.append(CardLines(card, columns: textColumns, glyphs: glyphs).lines(way)) }
        return Array(blocks.joined(separator: gap)) + (desk.notesShown ? gap : [])
    }

    private var state: [Line] {
        let words = StateWords(desk.view)
        let text = words.headline.uppercased() + (words.more.map { " " + $0 } ?? "")
        let warns = desk.view?.exam.trouble != nil
        return lines(glyphs.text(text), ink: warns ? .warning : .strong)
    }

    /// Returns the notes with their title in at most `rows` + 1 lines, and the column of the cursor while they are
    /// open.
    func notes(rows: Int) -> (lines: [Line], column: Int?) {
        let rows = max(rows, 1)
        let edge = glyphs.wall + " "
        var sheet = desk.notes.lines.map { glyphs.text($0) }
        if desk.notesOpen {
            let title = Line(text: "Your notes (Ctrl-W: erase a word, Ctrl-U: a line)", ink: .faint)
            let shown = sheet.suffix(rows)
            return ([title] + shown.map { Line(text: edge + $0) }, edge.columns + shown.last!.columns)
        }
        if sheet.count > rows {
            // All notes run together, as far as they fit: the candidate wrote them to read them now.
            sheet = Array(
                sheet.filter { !$0.isEmpty }.joined(separator: " / ").wrapped(to: textColumns - 2).prefix(rows))
        }
        return ([Line(text: "Your notes", ink: .faint)] + sheet.map { Line(text: edge + $0) }, nil)
    }

    func lines(_ text: String, ink: ScreenFrame.Ink = .plain) -> [Line] {
        text.wrapped(to: textColumns).map { Line(text: $0, ink: ink) }
    }
}
