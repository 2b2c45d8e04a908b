import Glibc
import Synchronization

/// The candidate's terminal while an exam is on it: single keys, a screen of its own, and all of it given back.
///
/// One at a time in a process, since signals must find it. It is given back by `giveBack`, when the program exits, and by
/// the signals that end or stop it, a crash's among them (`TerminalSignals`).
struct Terminal: Sendable {
    var input = STDIN_FILENO
    var output = STDOUT_FILENO

    /// Whether there is one that an exam fits on.
    static var isRoomy: Bool {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { return false }
        guard let name = getenv("TERM").map({ String(cString: $0) }), !name.isEmpty, name != "dumb" else {
            return false
        }
        let size = Terminal().size
        return size.columns >= 60 && size.rows >= 16
    }

    /// The window's; 80 × 24 where nobody knows.
    var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(output, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// - Parameter news: a descriptor that gets the byte `TerminalSignals.News` for a new size, and after a stop.
    func take(news: Int32) {
        var modes = termios()
        guard tcgetattr(input, &modes) == 0 else { return }
        TakenTerminal.it.pointee = TakenTerminal(input: input, output: output, news: news, modes: modes)
        TerminalSignals.install()
        takeAgain()
    }

    /// After a stop, during which a shell used it.
    func takeAgain() {
        var raw = TakenTerminal.it.pointee.modes
        cfmakeraw(&raw)
        raw.c_oflag |= tcflag_t(OPOST)  // Another program's lines stay readable.
        TakenTerminal.isTaken.store(true, ordering: .sequentiallyConsistent)
        tcsetattr(input, TCSADRAIN, &raw)
        // A screen of its own, empty; no cursor; pastes are marked as such.
        write("\u{1B}[?1049h\u{1B}[2J\u{1B}[?25l\u{1B}[?2004h")
        TerminalSignals.installStop()
    }

    /// Does nothing where it was given back already.
    func giveBack() {
        TakenTerminal.giveBack()
        TerminalSignals.remove()
    }

    /// Writes nothing while the terminal is somebody else's, as between a stop and `takeAgain`.
    func write(_ text: String) {
        guard TakenTerminal.isTaken.load(ordering: .sequentiallyConsistent) else { return }
        writeAll(Array(text.utf8), to: output)
    }
}

/// Writes everything, however little is taken at once; gives up where nobody is there to read it.
func writeAll(_ bytes: [UInt8], to descriptor: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        if count < 0, errno == EAGAIN {
            var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            poll(&ready, 1, 1000)
        } else if count < 0, errno != EINTR {
            return
        }
        rest = rest.dropFirst(max(count, 0))
    }
}

/// What a signal handler needs to give a terminal back; its memory is there before any signal may come.
struct TakenTerminal {
    var input: Int32
    var output: Int32
    var news: Int32
    /// As they were found.
    var modes: termios

    nonisolated(unsafe) static let it: UnsafeMutablePointer<TakenTerminal> = {
        let pointer = UnsafeMutablePointer<TakenTerminal>.allocate(capacity: 1)
        pointer.initialize(to: TakenTerminal(input: -1, output: -1, news: -1, modes: termios()))
        return pointer
    }()

    /// Who sets it to false gives back.
    static let isTaken = Atomic<Bool>(false)

    /// Calls only what a signal handler may call (signal-safety(7)).
    static func giveBack() {
        guard isTaken.exchange(false, ordering: .sequentiallyConsistent) else { return }
        let farewell: StaticString = "\u{1B}[?2026l\u{1B}[?2004l\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"
        _ = Glibc.write(it.pointee.output, farewell.utf8Start, farewell.utf8CodeUnitCount)
        tcsetattr(it.pointee.input, TCSANOW, &it.pointee.modes)
    }
}
