import ExamCore
import ExamKit

/// What lies before a candidate: the exam as it was last shown, the level, the notes, and a question that the keys ask back.
///
/// No terminal and no clock: keys and views in, wishes out, so that tests hold it.
struct Desk: Sendable {
    /// What was asked and waits for one key.
    enum Question: Equatable, Sendable {
        case leaving
        /// Asked once more: it cannot be undone.
        case withdrawing
    }

    let script: ExamScript
    let title: String
    let paperTitle: String
    let options: ScreenOptions
    /// Nil until the exam begins.
    private(set) var view: SessionView?
    private(set) var now = ExamTime.zero
    /// In dB of full scale, falling slowly; nil until a microphone delivered.
    private(set) var level: Float?
    private(set) var notes: Notes
    private(set) var question: Question?
    /// The turn that the notes belong to.
    private var notesTurn: Int?
    /// Letters are no keys until then.
    private var deafUntil = ExamTime.zero

    /// What stands beside the title; in a test nothing that gives the questions away.
    var subtitle: [String] { options.mode == .practice ? ["practice", paperTitle] : [] }

    init(script: ExamScript, title: String, paperTitle: String, options: ScreenOptions, notes: String) {
        self.script = script
        self.title = title
        self.paperTitle = paperTitle
        self.options = options
        self.notes = Notes(notes)
    }

    // MARK: - What the session says

    mutating func show(_ view: SessionView) {
        // The word that was being written when preparation ended, or a device was lost, is not a row of keys.
        let paused = view.exam.activity == .suspended && view.exam.trouble == nil
        if notesOpen, !view.exam.notesAllowed, !paused { deafUntil = view.at + .seconds(2) }
        if let turn = view.exam.notesOf, turn != notesTurn {
            if notesTurn != nil { notes = Notes() }
            notesTurn = turn
        }
        if view.exam.stage != .testing { question = nil }
        self.view = view
        now = max(now, view.at)
    }

    mutating func heard(_ level: Float, at now: ExamTime) {
        // Up at once and down by 20 dB a second, as the needle of a meter falls: words do not flicker between syllables.
        self.level = max(level, (self.level ?? level) - 2)
        self.now = max(self.now, now)
    }

    /// As the exam says.
    var allowed: Set<Wish> { view?.exam.allowed ?? [] }
    /// Whether leaving is a question: something could be lost.
    var mayLeave: Bool { view?.exam.stage == .testing }
    var timeLeft: TimeLeft? { view.flatMap { TimeLeft($0, in: script, at: now) } }
    var notesOpen: Bool { view?.exam.notesAllowed ?? false }

    /// Whether notes are to be seen: while they are written, and locked through the talk that they are for.
    var notesShown: Bool {
        guard let exam = view?.exam, let turn = exam.notesOf, turn == notesTurn else { return false }
        return exam.notesAllowed || !notes.isEmpty && (exam.card != nil || exam.recording != nil)
    }

    // MARK: - What the candidate does

    /// What a key asks of the exam; nil for keys that write, ask back, or do nothing just now.
    mutating func press(_ key: Key) -> CandidateAction? {
        if let question { return answer(question, key) }
        if key == .control("c") { return askLeaving() }
        if notesOpen { return write(key) }
        switch key {
        case .text(let letter):
            guard now >= deafUntil else { return nil }
            if letter == "q" || letter == "Q" { return mayLeave || view == nil ? askLeaving() : nil }
            return Self.keys[letter.lowercased()].flatMap(wish)
        case .escape, .control("p"):
            return wish([.continue])  // The keys that paused it while notes were open.
        case .enter, .tab, .backspace, .control, .pasted, .other:
            return nil
        }
    }

    /// What a letter does where notes are not being written: the first that is possible.
    private static let keys: [String: [Wish]] = [
        "r": [.repeat], "s": [.skip], "f": [.finish], "t": [.again], "a": [.first], "b": [.second],
        "p": [.pause, .continue], " ": [.pause, .continue],
    ]

    private func wish(_ possible: [Wish]) -> CandidateAction? {
        possible.first(where: allowed.contains).map { .wish($0) }
    }

    private mutating func write(_ key: Key) -> CandidateAction? {
        switch key {
        case .text(let character): notes.write(character)
        case .pasted(let text):
            for character in text { character.isNewline ? notes.newLine() : notes.write(character) }
        case .enter: notes.newLine()
        case .backspace: notes.erase()
        case .control("u"): notes.eraseLine()
        case .control("w"): notes.eraseWord()
        case .tab: return wish([.skip])
        case .escape, .control("p"): return wish([.pause])
        case .control("a"): return wish([.first])
        case .control("b"): return wish([.second])
        case .control, .other: break
        }
        return nil
    }

    /// A line of notes at once, as a screen of lines takes them.
    mutating func write(line: String) {
        if !notes.isEmpty { notes.newLine() }
        for character in line { notes.write(character) }
    }

    private mutating func askLeaving() -> CandidateAction? {
        guard view?.exam.stage == .testing else { return .leave }  // Nothing is being said that could be lost.
        question = .leaving
        return nil
    }

    private mutating func answer(_ question: Question, _ key: Key) -> CandidateAction? {
        if key == .control("c") { return nil }  // Asked already: pressed twice, it must not mean "go on".
        self.question = nil
        switch (question, key) {
        case (.leaving, .text("w")), (.leaving, .text("W")): self.question = .withdrawing
        case (.leaving, .text("l")), (.leaving, .text("L")): return .leave
        case (.withdrawing, .text("y")), (.withdrawing, .text("Y")): return .wish(.withdraw)
        case (.leaving, _), (.withdrawing, _): break  // The exam goes on.
        }
        return nil
    }
}
