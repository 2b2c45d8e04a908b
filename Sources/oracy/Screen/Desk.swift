import ExamCore
import ExamKit

/// The state of a candidate's screen: the exam as last shown, the level, the notes, and a pending question.
///
/// It uses no terminal and no clock, so that tests can drive it: keys and views in, wishes out.
struct Desk: Sendable {
    /// A question that waits for one key.
    enum Question: Equatable, Sendable {
        case leaving
        /// Asks again after the candidate chose to withdraw, because that can't be undone.
        case withdrawing
    }

    let script: ExamScript
    let title: String
    let paperTitle: String
    let options: ScreenOptions
    /// Nil until the exam begins.
    private(set) var view: SessionView?
    private(set) var now = ExamTime.zero
    /// The level in dB of full scale, falling slowly; nil until the microphone delivers.
    private(set) var level: Float?
    /// The levels of the last three seconds, the newest last, in dB of full scale.
    private(set) var levels: [Float] = []
    /// Nil if nothing is uploaded.
    private(set) var uploads: UploadsShown?
    private(set) var notes: Notes
    private(set) var question: Question?
    /// The turn that the notes belong to.
    private var notesTurn: Int?
    /// Letters are ignored until this time.
    private var deafUntil = ExamTime.zero

    /// The text beside the title. In a test it must not give the questions away.
    var subtitle: [String] { options.mode == .practice ? ["practice", paperTitle] : [] }

    init(script: ExamScript, title: String, paperTitle: String, options: ScreenOptions, notes: String) {
        self.script = script
        self.title = title
        self.paperTitle = paperTitle
        self.options = options
        self.notes = Notes(notes)
    }

    // MARK: - News of the session

    mutating func show(_ view: SessionView) {
        // If preparation ended or a device was lost while the candidate was writing, the rest of the word must not act
        // as keys.
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
        // Rises at once and falls by 20 dB a second, like the needle of a meter, so that words don't flicker between
        // syllables.
        self.level = max(level, (self.level ?? level) - 2)
        levels = levels.suffix(Self.mostLevels - 1) + [level]
        self.now = max(self.now, now)
    }

    /// Thirty, at ten a second.
    private static let mostLevels = 30

    mutating func show(_ uploads: UploadsShown) { self.uploads = uploads }

    /// The wishes that the exam allows.
    var allowed: Set<Wish> { view?.exam.allowed ?? [] }
    /// Whether answers could be lost by leaving, so that the desk asks first.
    var mayLeave: Bool { view?.exam.stage == .testing }
    var timeLeft: TimeLeft? { view.flatMap { TimeLeft($0, in: script, at: now) } }
    var notesOpen: Bool { view?.exam.notesAllowed ?? false }

    /// Whether notes are visible: while the candidate writes them, and locked during the talk that they are for.
    var notesShown: Bool {
        guard let exam = view?.exam, let turn = exam.notesOf, turn == notesTurn else { return false }
        return exam.notesAllowed || !notes.isEmpty && (exam.card != nil || exam.recording != nil)
    }

    // MARK: - Keys of the candidate

    /// Handles a key. Returns the action that it asks for; nil if the key writes a note, opens a question, or does
    /// nothing now.
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
            return wish([.continue])  // The same keys that paused the exam while notes were open.
        case .enter, .tab, .backspace, .control, .pasted, .other:
            return nil
        }
    }

    /// The wishes of each letter while notes are closed. The first that is allowed applies.
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

    /// Adds a whole line to the notes. The plain screen, without a full-screen view, reads notes line by line.
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
        if key == .control("c") { return nil }  // A second Ctrl-C must not answer the question.
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
