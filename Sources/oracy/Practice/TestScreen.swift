import Learning

/// The state of a test's screen. Pure.
struct TestDesk: ScreenContent, Equatable {
    enum Action: Equatable, Sendable {
        case answer(PracticeAnswer)
        case go(Int)
        /// Ask the learner to confirm.
        case ask
        case submit
        case leave
    }

    static var leaving: Action { .leave }

    var question: AskedQuestion
    var heading: String
    /// The earlier answer. A choice is marked.
    var given: PracticeAnswer?
    /// The warning before handing in; nil unless the learner wants to hand in.
    var warning: String?
    private(set) var typed = ""
    private(set) var advice = ""

    init(_ question: AskedQuestion, _ heading: String, _ given: PracticeAnswer?) {
        (self.question, self.heading, self.given) = (question, heading, given)
    }

    mutating func advise(_ sentence: String) { advice = sentence }

    mutating func press(_ key: Key) -> Action? {
        advice = ""
        if warning != nil {
            warning = nil
            return key == .text("y") || key == .text("Y") ? .submit : nil
        }
        switch key {
        case .escape, .control("c"): return .leave
        case .control("n"), .tab: return .go(1)
        case .control("p"): return .go(-1)
        case .control("s"): return .ask
        case .backspace:
            if !typed.isEmpty { typed.removeLast() }
            return nil
        case .enter:
            guard !typed.isEmpty else { return .go(1) }
            return answer(typed)
        case .text(let character):
            if question.isAnsweredByOneKey { return answer(String(character)) }
            if typed.count < 200 { typed.append(character) }
            return nil
        case .pasted(let text):
            if question.isAnsweredByOneKey { return nil }
            typed = String((typed + text.cleaned).prefix(200))
            return nil
        case .control, .other: return nil
        }
    }

    private mutating func answer(_ text: String) -> Action? {
        guard let answer = question.answer(typed: text) else {
            advice = question.howToAnswer
            return nil
        }
        return .answer(answer)
    }

    func frame(width: Int, height: Int, glyphs: Glyphs) -> ScreenFrame {
        let columns = max(min(width - 4, DrillText.width), 1)
        var lines = [ScreenFrame.Line(text: heading, ink: .faint), .init(text: "")]
        lines += question.prompt.wrapped(to: columns).map { .init(text: $0) }
        var cursor: ScreenFrame.Cursor?
        for (label, text) in question.choices {
            let isGiven = given?.chooses(label) ?? false
            for (number, text) in text.wrapped(to: max(1, columns - 5)).enumerated() {
                let before = number == 0 ? "\(isGiven ? "*" : " ") \(label)  " : "     "
                lines.append(.init(text: before + text, ink: isGiven ? .strong : .plain))
            }
        }
        if !question.isAnsweredByOneKey {
            lines += [.init(text: ""), .init(text: "> " + typed)]
            cursor = .init(row: lines.count - 1, column: min(4 + typed.columns, width - 1))
        }
        let last = warning.map { "\($0) Hand it in? Press y, or any other key to go back." }
        let footer: [ScreenFrame.Line] =
            last.map { $0.wrapped(to: columns).map { .init(text: $0, ink: .warning) } } ?? [
                .init(text: advice, ink: .warning),
                .init(text: "Enter next · Ctrl-P previous · Ctrl-S hand in · Esc leave", ink: .faint),
            ]
        let room = max(height - footer.count, 1)
        lines = Array(lines.prefix(room))
        if let at = cursor, at.row >= room { cursor = nil }
        return ScreenFrame(page: lines, footer: footer, cursor: cursor, width: width, height: height, glyphs: glyphs)
    }
}

/// A test on the full screen of a terminal.
struct TestScreen {
    let taking: TestAtHand

    func hold() async throws {
        let (actions, put) = AsyncStream.makeStream(of: TestDesk.Action.self)
        let screen = FullScreen(desk) { action, _, _ in if let action { put.yield(action) } }
        defer { screen.close() }
        for await action in actions {
            switch action {
            case .leave: return
            case .go(let step): taking.go(by: step)
            case .submit: return try await taking.submit()
            case .ask:
                let warning = taking.warning
                screen.change { $0.warning = warning }
                continue
            case .answer(let answer):
                guard try await taking.answer(answer) else {
                    let advice = taking.question.howToAnswer
                    screen.change { $0.advise(advice) }
                    continue
                }
                let answered = desk
                screen.change { $0 = answered }
                if let seconds = taking.goesOnAfter {
                    try await Task.sleep(for: .seconds(seconds))
                    taking.go(by: 1)
                }
            }
            let next = desk
            screen.change { $0 = next }
        }
    }

    private var desk: TestDesk { TestDesk(taking.question, taking.heading, taking.given) }
}
