import Learning

/// The state of a drill's screen: a question, or the verdict on its answer. Pure.
struct DrillDesk: ScreenContent, Equatable {
    enum Action: Equatable, Sendable {
        case answer(PracticeAnswer)
        case next
        case listen
        case leave
    }

    static var leaving: Action { .leave }

    private enum Sheet: Equatable {
        case asked(PracticeQuestion)
        case told
        case finished
    }

    private var sheet = Sheet.told
    private var lines: [ScreenFrame.Line] = []
    /// The text typed so far, or the letter of the chosen option.
    private var typed = ""
    private var advice = ""

    // MARK: - Sheets

    mutating func ask(_ question: PracticeQuestion, _ place: String) {
        let text = DrillText.question(question.asked, place)
        lines = [.init(text: text[0], ink: .faint), .init(text: "")] + text.dropFirst().map { .init(text: $0) }
        (sheet, typed, advice) = (.asked(question), "", "")
    }

    mutating func show(_ question: PracticeQuestion) {
        let text = DrillText.shown(question)
        lines = [.init(text: text[0], ink: .strong), .init(text: "")] + text.dropFirst().map { .init(text: $0) }
        (sheet, typed, advice) = (.told, "", "")
    }

    /// Shows the verdict and the explanation below the question.
    mutating func explain(_ verdict: Verdict, _ question: PracticeQuestion) {
        let text = DrillText.explanation(verdict, question)
        // Marks the chosen option, as a test does.
        if let place = lines.firstIndex(where: { !typed.isEmpty && $0.text.hasPrefix("  \(typed)  ") }) {
            lines[place] = .init(text: "* " + lines[place].text.dropFirst(2), ink: .strong)
        }
        lines += [.init(text: ""), .init(text: text[0], ink: verdict.isRight ? .strong : .warning)]
        lines += text.dropFirst().map { .init(text: $0) }
        (sheet, advice) = (.told, "")
    }

    mutating func finish(_ text: [String]) {
        lines = text.enumerated().map { .init(text: $1, ink: $0 == 0 ? .strong : .plain) }
        (sheet, typed, advice) = (.finished, "", "")
    }

    mutating func advise(_ sentence: String) { advice = sentence }

    // MARK: - Keys

    mutating func press(_ key: Key) -> Action? {
        advice = ""
        switch (sheet, key) {
        case (_, .escape), (_, .control("c")): return .leave
        case (.told, .enter), (.told, .text(" ")), (.finished, .enter), (.finished, .text(" ")):
            return sheet == .finished ? .leave : .next
        case (.asked(let question), .tab) where question.speech != nil: return .listen
        case (.asked(let question), .enter):
            guard let answer = question.asked.answer(typed: typed) else {
                advice = question.asked.howToAnswer
                return nil
            }
            return .answer(answer)
        case (.asked, .backspace):
            if !typed.isEmpty { typed.removeLast() }
        case (.asked(let question), .text(let character)):
            // A letter answers a multiple-choice question. For the others it is text.
            if question.asked.isAnsweredByOneKey {
                guard let answer = question.asked.answer(typed: String(character)) else {
                    advice = question.asked.howToAnswer
                    return nil
                }
                typed = String(character)
                return .answer(answer)
            }
            if typed.count < Self.longest { typed.append(character) }
        case (.asked(let question), .pasted(let text)):
            if question.asked.isAnsweredByOneKey { break }
            typed = String((typed + text.cleaned).prefix(Self.longest))
        case (.told, _), (.finished, _), (.asked, _): break
        }
        return nil
    }

    private static let longest = 200

    // MARK: - The picture

    func frame(width: Int, height: Int, glyphs: Glyphs) -> ScreenFrame {
        let columns = max(min(width - 4, DrillText.width), 1)
        var shown = lines.flatMap { line in
            line.text.isEmpty ? [line] : line.text.reflowed(to: columns).map { .init(text: $0, ink: line.ink) }
        }
        var cursor: ScreenFrame.Cursor?
        if case .asked(let question) = sheet {
            if !question.asked.isAnsweredByOneKey {
                shown += [.init(text: ""), .init(text: "> " + typed)]
                cursor = .init(row: shown.count - 1, column: min(4 + typed.columns, width - 1))
            }
        }
        let footer = [ScreenFrame.Line(text: advice, ink: .warning), .init(text: keys, ink: .faint)]
        let room = max(height - footer.count, 1)
        if shown.count > room { shown = Array(shown.suffix(room)) }
        if let at = cursor, at.row >= room { cursor = .init(row: shown.count - 1, column: at.column) }
        return ScreenFrame(page: shown, footer: footer, cursor: cursor, width: width, height: height, glyphs: glyphs)
    }

    private var keys: String {
        switch sheet {
        case .finished: "Enter ends"
        case .told: "Enter continues · Esc leaves"
        case .asked(let question):
            if question.asked.isAnsweredByOneKey {
                "a to \(AskedQuestion.letter(question.asked.options.count - 1)) answers"
                    + (question.speech == nil ? "" : " · Tab plays it again") + " · Esc leaves"
            } else {
                "Enter answers · Esc leaves"
            }
        }
    }
}

extension String {
    /// Returns lines of at most `width` columns, each with the indent of the original.
    fileprivate func reflowed(to width: Int) -> [String] {
        guard columns > width else { return [self] }
        let indent = String(prefix { $0 == " " })
        return String(dropFirst(indent.count)).wrapped(to: max(1, width - indent.count)).map { indent + $0 }
    }
}
