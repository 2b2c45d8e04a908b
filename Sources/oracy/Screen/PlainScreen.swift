import Dispatch
import ExamCore
import ExamKit
import Glibc
import Synchronization

/// The exam as lines, one for each change: for screen readers, pipes and small windows. Commands are lines, too.
///
/// The end of the input is no wish to leave: an exam may be held with nobody at the keys.
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

    /// - Parameters: as `openScreen`, and
    ///   - input: where commands come from; nil: nobody types any.
    ///   - sink: gets one line at a time, without its end; nil: standard output.
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
        self.sink = sink ?? { writeAll(Array(($0 + "\n").utf8), to: STDOUT_FILENO) }
        self.act = act
        self.keepNotes = keepNotes
        // Nobody reads the lines any more (`oracy run | head`): the exam goes on.
        if sink == nil { signal(SIGPIPE, SIG_IGN) }
        if let input { reader.start(input) { [weak self] news in self?.hear(news) } }
    }

    deinit { reader.stop() }

    func show(_ view: SessionView) { say { $0.show(view) } }

    func heard(level: Float, at now: ExamTime) { say { $0.heard(level, at: now) } }

    func close() {
        state.withLock { $0.isClosed = true }
        reader.stop()
        queue.sync {}
    }

    /// What is narrated, in the order in which it came to be, whichever thread it came on.
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
            case .quiet, .signal: [String]()  // A line ends with its end; no signal is this screen's business.
            }
        for line in lines { type(line) }
    }

    /// A line as the candidate typed it.
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

/// Lines out of bytes, wherever a read cut them.
struct LineReader: Sendable {
    /// More than a person types; what follows in the same line is dropped.
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

    /// The last line, where its end is missing.
    mutating func rest() -> [String] {
        defer { bytes = [] }
        return bytes.isEmpty ? [] : [String(decoding: bytes, as: UTF8.self)]
    }
}
