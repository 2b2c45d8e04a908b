import ExamCore
import ExamKit

/// The bottom of a screen: time, microphone, problems, and the available keys.
extension FrameParts {
    private static let labelColumns = 12
    /// The quietest level that a meter shows, in dB of full scale.
    private static let meterFloor: Float = -60

    var footer: [Line] {
        var lines: [Line] = []
        if let time { lines.append(time) }
        if let microphone { lines.append(microphone) }
        if let uploads = desk.uploads { lines.append(Line(text: label("Uploads") + uploads.words)) }
        if let problem = desk.view?.problem { lines += self.lines(glyphs.text("Problem: " + problem), ink: .warning) }
        let keys = desk.question.map(asking) ?? help
        return lines + (keys.isEmpty ? [] : [rule]) + keys
    }

    private var barColumns: Int { columns < 50 ? 8 : columns < 60 ? 20 : 24 }

    /// A column for each tenth of a second. A row of thirty needs a wide window.
    private var waveColumns: Int { columns < 66 ? barColumns : 30 }

    private func label(_ words: String) -> String { words.padded(to: Self.labelColumns) }

    private var time: Line? {
        guard let time = desk.timeLeft, time.isShown(desk.options.timeShown) else { return nil }
        let warning = time.warning.map { "last \($0.spoken)" }
        let ink: ScreenFrame.Ink = warning == nil ? .plain : .warning
        guard desk.options.timeShown == .bar else { return Line(text: label("Time left") + (warning ?? ""), ink: ink) }
        let whole = time.whole ?? desk.script.warnings[0]
        let share = Double(time.left.milliseconds) / Double(max(whole.milliseconds, 1))
        let seconds = time.left.wholeSeconds
        let clock = "\(seconds / 60):" + (seconds % 60 < 10 ? "0" : "") + "\(seconds % 60)"
        let bar = glyphs.bar(share, columns: barColumns)
        return Line(text: label("Time left") + bar + " " + clock + (warning.map { "  " + $0 } ?? ""), ink: ink)
    }

    /// The waveform of the last seconds and the microphone's level; nil if the screen shows none.
    private var microphone: Line? {
        guard let view = desk.view, view.exam.stage == .testing, view.exam.trouble == nil, let level = desk.level
        else { return nil }
        let heard = desk.levels.suffix(waveColumns).map { Double(max(1 - $0 / Self.meterFloor, 0)) }
        let wave = String(repeating: " ", count: waveColumns - heard.count) + glyphs.wave(heard)
        let decibels = glyphs.text(level <= -100 ? "" : "−\(Int(-level.rounded())) dB")
        let spaces = String(repeating: " ", count: max(7 - decibels.columns, 0))
        return Line(text: label("Microphone") + wave + spaces + decibels + "  " + LevelWord(level).rawValue)
    }

    private func asking(_ question: Desk.Question) -> [Line] {
        switch question {
        case .leaving:
            [
                Line(text: "Leave the exam?", ink: .strong),
                Line(text: "w: withdraw, the exam ends for good"),
                Line(text: "l: leave, go on later with `oracy resume`"),
                Line(text: "any other key: go on"),
            ]
        case .withdrawing:
            [
                Line(text: "Withdraw? The exam ends for good; what you said is kept.", ink: .strong),
                Line(text: "y: yes, withdraw"),
                Line(text: "any other key: go on"),
            ]
        }
    }

    /// The available keys, on as many lines as they need.
    private var help: [Line] {
        let offers = Wish.offered.filter(desk.allowed.contains).map { keyHelp($0) } + (desk.mayLeave ? [leaveHelp] : [])
        var lines: [String] = []
        for offer in offers {
            if let last = lines.last, last.columns + 3 + offer.columns <= columns {
                lines[lines.count - 1] = last + "   " + offer
            } else {
                lines.append(offer)
            }
        }
        return lines.map { Line(text: $0, ink: .faint) }
    }

    private func keyHelp(_ wish: Wish) -> String {
        switch wish {
        case .repeat: "r: repeat the question"
        case .skip: desk.notesOpen ? "Tab: skip ahead" : "s: skip ahead"
        case .finish: "f: finish the answer"
        case .again: "t: try again"
        case .first: desk.notesOpen ? "Ctrl-A: choose A" : "a: choose A"
        case .second: desk.notesOpen ? "Ctrl-B: choose B" : "b: choose B"
        case .pause: desk.notesOpen ? "Esc: pause" : "p: pause"
        case .continue: "p: continue"
        case .withdraw: leaveHelp
        }
    }

    private var leaveHelp: String { desk.notesOpen ? "Ctrl-C: leave or withdraw" : "q: leave or withdraw" }
}
