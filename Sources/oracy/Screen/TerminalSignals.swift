import Glibc

/// Handles the signals that matter for a taken terminal. The terminal is restored before one of them ends or stops the
/// program.
///
/// If other code handles or ignores a signal that ends programs, it is left to that code. Handlers call only functions
/// that they may call (signal-safety(7)). They use no lazily created globals: `install` has created them.
enum TerminalSignals {
    /// The byte that a handler writes to `TakenTerminal.news`.
    enum News: UInt8 {
        case resized = 0x57
        /// The program continues after a stop.
        case continued = 0x43
    }

    private static let endings = [SIGTERM, SIGHUP, SIGINT, SIGQUIT]
    private static let crashes = [SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP]
    private static let news = [SIGWINCH, SIGCONT]

    /// The previous actions, by signal number.
    nonisolated(unsafe) private static let before: UnsafeMutablePointer<sigaction> = {
        let pointer = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)
        pointer.initialize(repeating: sigaction(), count: 65)
        return pointer
    }()

    private static let atExit: Void = { _ = atexit { TakenTerminal.giveBack() } }()

    static func install() {
        atExit
        for signal in endings where now(signal).isDefault { handle(signal, giveBack) }
        // A crash's own handler, such as the one that writes Swift's backtrace, runs afterwards.
        for signal in crashes { handle(signal, giveBack) }
        for signal in news where now(signal).isDefault { handle(signal, tell) }
    }

    /// Installs the handler of the stop signal. Needed again after each stop, because only the default action stops a
    /// program.
    static func installStop() {
        if now(SIGTSTP).isDefault { handle(SIGTSTP, giveBack) }
    }

    static func remove() {
        for signal in endings + crashes + news + [SIGTSTP] {
            let handler = now(signal).address
            guard [giveBack, tell].contains(where: { unsafeBitCast($0, to: Int.self) == handler }) else { continue }
            sigaction(signal, before + Int(signal), nil)
        }
    }

    private typealias Handler = @convention(c) (Int32) -> Void

    private static let giveBack: Handler = { signal in
        TakenTerminal.giveBack()
        sigaction(signal, before + Int(signal), nil)
        raise(signal)  // The previous handler gets it when this one returns.
    }

    private static let tell: Handler = { signal in
        let error = errno
        var byte = signal == SIGCONT ? News.continued.rawValue : News.resized.rawValue
        _ = write(TakenTerminal.it.pointee.news, &byte, 1)
        errno = error
    }

    private static func now(_ signal: Int32) -> sigaction {
        var action = sigaction()
        sigaction(signal, nil, &action)
        return action
    }

    private static func handle(_ signal: Int32, _ handler: @escaping Handler) {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = handler
        action.sa_flags = SA_RESTART
        sigaction(signal, &action, before + Int(signal))
    }
}

extension sigaction {
    fileprivate var address: Int { unsafeBitCast(__sigaction_handler.sa_handler, to: Int.self) }
    fileprivate var isDefault: Bool { address == 0 }
}
