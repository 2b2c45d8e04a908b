import Glibc

/// The signals that concern a taken terminal: it is given back before one of them ends or stops the program.
///
/// A signal that ends programs and that somebody else handles or ignores is left to them. Handlers call only what they may
/// (signal-safety(7)), and touch nothing that is made when it is first used: `install` has touched it.
enum TerminalSignals {
    /// What a handler writes to `TakenTerminal.news`.
    enum News: UInt8 {
        case resized = 0x57
        /// The program goes on after a stop.
        case continued = 0x43
    }

    private static let endings = [SIGTERM, SIGHUP, SIGINT, SIGQUIT]
    private static let crashes = [SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP]
    private static let news = [SIGWINCH, SIGCONT]

    /// By number: what was done about a signal before.
    nonisolated(unsafe) private static let before: UnsafeMutablePointer<sigaction> = {
        let pointer = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)
        pointer.initialize(repeating: sigaction(), count: 65)
        return pointer
    }()

    private static let atExit: Void = { _ = atexit { TakenTerminal.giveBack() } }()

    static func install() {
        atExit
        for signal in endings where now(signal).isDefault { handle(signal, giveBack) }
        // A crash's own handler, such as the one that writes Swift's backtrace, has its turn afterwards.
        for signal in crashes { handle(signal, giveBack) }
        for signal in news where now(signal).isDefault { handle(signal, tell) }
    }

    /// Again after each stop: it is the default that stops a program.
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
        raise(signal)  // Comes when this handler returns, to whoever had it before.
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
