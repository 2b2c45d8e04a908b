import Dispatch
import ExamCore
import ExamKit
import Glibc
import Synchronization

/// A screen that prints one line for each change of the exam, for screen readers, pipes and small windows. Commands are
/// typed as lines, too.
///
/// The end of the input is not a request to leave: an exam may run without anyone at the keyboard.
final class PlainScreen: ExamScreen {
    private struct State {
        var narration: Narration
        var lines = LineReader()
        var isClosed = false
    }

    private let state: Mutex<State>
    private let reader = InputReader()
    private let queue = DispatchQueue(label: "oracy.lines")
    private let sink: @Sendable (String) -> Void
    private let act: @Sendable (CandidateAction) -> Void
    private let keepNotes: @Sendable (String) -> Void

    /// - Parameters: Those of `openScreen`, and
    ///   - input: The source of commands; nil for none.
    ///   - sink: Receives one line at a time, without its line end; nil for standard output.
    init(
        script: ExamScript,
        title: String,
        paperTitle: String,
        options: ScreenOptions,
        notes: String,
        input: Int32? = STDIN_FILENO,
        glyphs: Glyphs = .ofLocale,
        sink: (@Sendable (String) -> Void)? = nil,
        act: @escaping @Sendable (CandidateAction) -> Void,
        keepNotes: @escaping @Sendable (String) -> Void
    ) {
        let desk = Desk(script: script, title: title, paperTitle: paperTitle, options: options, notes: notes)
        state = Mutex(State(narration: Narration(desk, glyphs: glyphs)))
        self.sink = sink ?? { tell($0 + "\n", on: STDOUT_FILENO) }
        self.act = act
        self.keepNotes = keepNotes
        // If no one reads the lines any more (`oracy run | head`), the exam continues.
        if sink == nil { signal(SIGPIPE, SIG_IGN) }
        if let input { reader.start(input) { [weak self] news in self?.hear(news) } }
    }

    deinit { reader.stop() }

    func show(_ view: SessionView) { say { $0.show(view) } }

    func heard(level: Float, at now: ExamTime) { say { $0.heard(level, at: now) } }

    /// Prints nothing: the candidate asks with `uploads`.
    func show(_ uploads: UploadsShown) { state.withLock { $0.narration.desk.show(uploads) } }

    func close() {
        state.withLock { $0.isClosed = true }
        reader.stop()
        queue.sync {}
    }

    /// Prints narrated lines in the order of the changes, on whichever thread these happen.
    private func say(_ change: (inout Narration) -> [String]) {
        state.withLock { state in
            guard !state.isClosed else { return }
            let lines = change(&state.narration)
            guard !lines.isEmpty else { return }
            queue.async { [sink] in lines.forEach(sink) }
        }
    }

    // MARK: - Commands

    private func hear(_ news: InputReader.News) {
        let lines =
            switch news {
            case .bytes(let bytes): state.withLock { $0.lines.read(bytes) }
            case .ended: state.withLock { $0.lines.rest() }
            case .quiet, .signal: [String]()  // A line ends with its line end. This screen ignores signals.
            }
        for line in lines { type(line) }
    }

    /// Handles a line that the candidate typed.
    func type(_ line: String) {
        var action: CandidateAction?
        var notes: String?
        say { narration in
            let before = narration.desk.notes
            let (lines, asked) = narration.type(line)
            action = asked
            if narration.desk.notes != before { notes = narration.desk.notes.text }
            return lines
        }
        if let notes { keepNotes(notes) }
        if let action { act(action) }
    }
}

/// Splits bytes into lines. A read may split a line anywhere.
struct LineReader: Sendable {
    /// More than a person types. The rest of a longer line is dropped.
    private static let longest = 4096
    private var bytes: [UInt8] = []

    mutating func read(_ more: [UInt8]) -> [String] {
        var lines: [String] = []
        for byte in more {
            if byte == UInt8(ascii: "\n") {
                lines += rest()
            } else if bytes.count < Self.longest {
                bytes.append(byte)
            }
        }
        return lines
    }

    /// Returns the last line if its line end is missing.
    mutating func rest() -> [String] {
        defer { bytes = [] }
        return bytes.isEmpty ? [] : [String(decoding: bytes, as: UTF8.self)]
    }
}
