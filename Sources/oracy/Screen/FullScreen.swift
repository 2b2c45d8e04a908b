import Dispatch
import Glibc
import Synchronization

/// The content of a full screen: its frames, and its reactions to keys. Pure.
protocol ScreenContent: Sendable {
    associatedtype Action: Sendable

    /// - Returns: The action that the key asks for.
    mutating func press(_ key: Key) -> Action?

    func frame(width: Int, height: Int, glyphs: Glyphs) -> ScreenFrame

    /// The action if the terminal is gone.
    static var leaving: Action { get }
}

/// Content on the full screen of a terminal.
///
/// `change` returns at once, and a queue draws. If drawing falls behind, only the latest frame is drawn. Keys arrive on
/// the reader's thread.
final class FullScreen<Content: ScreenContent>: Sendable {
    private struct State {
        var content: Content
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
    private let pressed: @Sendable (_ action: Content.Action?, _ before: Content, _ after: Content) -> Void

    /// Takes over the terminal at once.
    ///
    /// - Parameter pressed: Called after each key, on a thread of the screen.
    init(
        _ content: Content,
        terminal: Terminal = Terminal(),
        pressed: @escaping @Sendable (_ action: Content.Action?, _ before: Content, _ after: Content) -> Void
    ) {
        state = Mutex(State(content: content))
        canvas = Mutex(Canvas(hasColour: Canvas.colourIsWanted))
        self.terminal = terminal
        glyphs = .ofLocale
        self.pressed = pressed
        terminal.take(news: reader.bell)
        reader.start(terminal.input) { [weak self] news in self?.hear(news) }
        draw()
    }

    deinit {
        // Does not call `close`, which waits for the queue: this may run on the queue, if a drawing holds the last
        // reference.
        guard state.withLock({ !$0.isClosed }) else { return }
        reader.stop()
        terminal.giveBack()
    }

    func change(_ body: (inout Content) -> Void) {
        state.withLock { body(&$0.content) }
        draw()
    }

    /// Draws the final frame and restores the terminal as it was found. May be called twice.
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
        case .ended:
            let content = state.withLock { $0.content }
            pressed(Content.leaving, content, content)
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
            let news: (Content.Action?, Content, Content)? = state.withLock { state in
                guard !state.isClosed else { return nil }
                let before = state.content
                let action = state.content.press(key)
                return (action, before, state.content)
            }
            if let news { pressed(news.0, news.1, news.2) }
        }
        draw()
    }

    // MARK: - Drawing

    /// - Parameters:
    ///   - afresh: Whether to redraw everything, because the terminal's content is unknown.
    ///   - taking: Whether to take over the terminal again, because another program used it meanwhile.
    private func draw(afresh: Bool = false, taking: Bool = false) {
        let isDue = state.withLock { state in
            if state.isClosed || state.isDrawing && !afresh { return false }
            state.isDrawing = true
            return true
        }
        guard isDue else { return }
        queue.async { [self] in
            let content: Content? = state.withLock { state in
                state.isDrawing = false
                return state.isClosed ? nil : state.content
            }
            guard let content else { return }
            if taking { terminal.takeAgain() }
            let size = terminal.size
            let frame = content.frame(width: size.columns, height: size.rows, glyphs: glyphs)
            let change = canvas.withLock { canvas in
                if afresh { canvas.forget() }
                return canvas.paint(frame)
            }
            if !change.isEmpty { terminal.write(change) }
        }
    }
}
