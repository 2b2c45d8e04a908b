import Dispatch
import ExamCore
import ExamKit
import Glibc
import Synchronization

/// The exam on the whole of a terminal.
///
/// `show` and `heard` change what lies on the desk and return; a queue draws. A frame that is late is drawn once, as it is
/// then. Keys come on the reader's thread.
final class TerminalScreen: ExamScreen {
    private struct State {
        var desk: Desk
        var isDrawing = false
        var isClosed = false
    }

    private let state: Mutex<State>
    private let keyboard = Mutex(Keyboard())
    private let canvas: Mutex<Canvas>
    private let terminal: Terminal
    private let reader = InputReader()
    private let queue = DispatchQueue(label: "oracy.screen")
    private let glyphs: Glyphs
    private let act: @Sendable (CandidateAction) -> Void
    private let keepNotes: @Sendable (String) -> Void

    /// Takes the terminal at once.
    ///
    /// - Parameters: as `openScreen`.
    init(
        script: ExamScript,
        title: String,
        paperTitle: String,
        options: ScreenOptions,
        notes: String,
        terminal: Terminal = Terminal(),
        act: @escaping @Sendable (CandidateAction) -> Void,
        keepNotes: @escaping @Sendable (String) -> Void
    ) {
        let desk = Desk(script: script, title: title, paperTitle: paperTitle, options: options, notes: notes)
        state = Mutex(State(desk: desk))
        canvas = Mutex(Canvas(hasColour: Canvas.colourIsWanted))
        self.terminal = terminal
        glyphs = .ofLocale
        self.act = act
        self.keepNotes = keepNotes
        terminal.take(news: reader.bell)
        reader.start(terminal.input) { [weak self] news in self?.hear(news) }
        draw()
    }

    deinit {
        // Not `close`: the last reference may be a drawing's own, on the queue.
        guard state.withLock({ !$0.isClosed }) else { return }
        reader.stop()
        terminal.giveBack()
    }

    func show(_ view: SessionView) {
        state.withLock { $0.desk.show(view) }
        draw()
    }

    func heard(level: Float, at now: ExamTime) {
        state.withLock { $0.desk.heard(level, at: now) }
        draw()
    }

    func close() {
        let wasOpen = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        guard wasOpen else { return }
        reader.stop()
        queue.sync { terminal.giveBack() }
    }

    // MARK: - Keys

    private func hear(_ news: InputReader.News) {
        switch news {
        case .bytes(let bytes): press(keyboard.withLock { $0.read(bytes) })
        case .quiet: press(keyboard.withLock { $0.timePassed() })
        case .ended: act(.leave)  // The terminal is gone.
        case .signal(TerminalSignals.News.continued.rawValue): draw(afresh: true, taking: true)
        case .signal: draw(afresh: true)
        }
    }

    private func press(_ keys: [Key]) {
        for key in keys {
            if key == .control("l") {
                draw(afresh: true)
                continue
            }
            let (action, notes) = state.withLock { state in
                let before = state.desk.notes
                let action = state.isClosed ? nil : state.desk.press(key)
                return (action, state.desk.notes == before ? nil : state.desk.notes.text)
            }
            if let notes { keepNotes(notes) }
            if let action { act(action) }
        }
        draw()
    }

    // MARK: - Drawing

    /// - Parameters:
    ///   - afresh: everything, since nobody knows what stands there.
    ///   - taking: the terminal was somebody else's meanwhile.
    private func draw(afresh: Bool = false, taking: Bool = false) {
        let isDue = state.withLock { state in
            if state.isClosed || state.isDrawing && !afresh { return false }
            state.isDrawing = true
            return true
        }
        guard isDue else { return }
        queue.async { [self] in
            let desk: Desk? = state.withLock { state in
                state.isDrawing = false
                return state.isClosed ? nil : state.desk
            }
            guard let desk else { return }
            if taking { terminal.takeAgain() }
            let size = terminal.size
            let frame = ScreenFrame(desk, width: size.columns, height: size.rows, glyphs: glyphs)
            let change = canvas.withLock { canvas in
                if afresh { canvas.forget() }
                return canvas.paint(frame)
            }
            if !change.isEmpty { terminal.write(change) }
        }
    }
}
