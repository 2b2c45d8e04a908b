import ExamCore
import ExamKit

/// The exam on the full screen of a terminal. `show` and `heard` change the desk and return.
final class TerminalScreen: ExamScreen {
    private let screen: FullScreen<Desk>

    /// Takes over the terminal at once.
    ///
    /// `openScreen` describes the parameters.
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
        screen = FullScreen(desk, terminal: terminal) { action, before, after in
            if before.notes != after.notes { keepNotes(after.notes.text) }
            if let action { act(action) }
        }
    }

    func show(_ view: SessionView) { screen.change { $0.show(view) } }

    func heard(level: Float, at now: ExamTime) { screen.change { $0.heard(level, at: now) } }

    func show(_ uploads: UploadsShown) { screen.change { $0.show(uploads) } }

    func close() { screen.close() }
}

extension Desk: ScreenContent {
    static var leaving: CandidateAction { .leave }

    func frame(width: Int, height: Int, glyphs: Glyphs) -> ScreenFrame {
        ScreenFrame(self, width: width, height: height, glyphs: glyphs)
    }
}
