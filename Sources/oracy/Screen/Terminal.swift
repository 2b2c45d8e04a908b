import Glibc
import Synchronization

/// The candidate's terminal during an exam: it delivers single keys, shows its own screen, and is fully restored at the
/// end.
///
/// A process can take over only one terminal, since signal handlers must find it. It is restored by `giveBack`, when
/// the program exits, and by the signals that end or stop the program, crashes included (`TerminalSignals`).
struct Terminal: Sendable {
    var input = STDIN_FILENO
    var output = STDOUT_FILENO

    /// Whether standard input and output are a terminal that is large enough for an exam.
    static var isRoomy: Bool {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { return false }
        guard let name = getenv("TERM").map({ String(cString: $0) }), !name.isEmpty, name != "dumb" else {
            return false
        }
        let size = Terminal().size
        return size.columns >= 60 && size.rows >= 16
    }

    /// The size of the window; 80 × 24 if it is unknown.
    var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(output, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// - Parameter news: A descriptor that receives a byte of `TerminalSignals.News` after a change of size and after a
    ///   stop.
    func take(news: Int32) {
        var modes = termios()
        guard tcgetattr(input, &modes) == 0 else { return }
        TakenTerminal.it.pointee = TakenTerminal(input: input, output: output, news: news, modes: modes)
        TerminalSignals.install()
        takeAgain()
    }

    /// Takes over the terminal again after a stop, during which a shell used it.
    func takeAgain() {
        var raw = TakenTerminal.it.pointee.modes
        cfmakeraw(&raw)
        raw.c_oflag |= tcflag_t(OPOST)  // Keeps another program's lines readable.
        TakenTerminal.isTaken.store(true, ordering: .sequentiallyConsistent)
        tcsetattr(input, TCSADRAIN, &raw)
        // Switches to the alternate screen, clears it, hides the cursor and turns on bracketed paste.
        write("\u{1B}[?1049h\u{1B}[2J\u{1B}[?25l\u{1B}[?2004h")
        TerminalSignals.installStop()
    }

    /// Restores the terminal. Does nothing if it was restored already.
    func giveBack() {
        TakenTerminal.giveBack()
        TerminalSignals.remove()
    }

    /// Writes nothing while another program uses the terminal, as between a stop and `takeAgain`.
    func write(_ text: String) {
        guard TakenTerminal.isTaken.load(ordering: .sequentiallyConsistent) else { return }
        writeAll(Array(text.utf8), to: output)
    }
}

/// Writes all bytes, in as many calls as it takes. Gives up if the reader is gone.
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

/// The data that a signal handler needs to restore a terminal. Its memory is allocated before any signal can arrive.
struct TakenTerminal {
    var input: Int32
    var output: Int32
    var news: Int32
    /// The modes before the terminal was taken.
    var modes: termios

    nonisolated(unsafe) static let it: UnsafeMutablePointer<TakenTerminal> = {
        let pointer = UnsafeMutablePointer<TakenTerminal>.allocate(capacity: 1)
        pointer.initialize(to: TakenTerminal(input: -1, output: -1, news: -1, modes: termios()))
        return pointer
    }()

    /// Whether the terminal is taken. The thread that sets it to false restores the terminal.
    static let isTaken = Atomic<Bool>(false)

    /// Restores the terminal. Calls only functions that a signal handler may call (signal-safety(7)).
    static func giveBack() {
        guard isTaken.exchange(false, ordering: .sequentiallyConsistent) else { return }
        let farewell: StaticString = "\u{1B}[?2026l\u{1B}[?2004l\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"
        _ = Glibc.write(it.pointee.output, farewell.utf8Start, farewell.utf8CodeUnitCount)
        tcsetattr(it.pointee.input, TCSANOW, &it.pointee.modes)
    }
}
