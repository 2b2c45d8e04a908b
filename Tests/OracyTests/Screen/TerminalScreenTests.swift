import ExamCore
import Foundation
import Glibc
import Synchronization
import Testing
import Waiting

@testable import oracy

/// The screen on a terminal: here the other end of a pseudo-terminal.
@Suite(.serialized) struct TerminalScreenTests {
    /// A pseudo-terminal of 80 × 24.
    private final class Pty {
        let master: Int32
        let terminal: Int32
        private(set) var output = ""

        init() throws {
            // Does the work of posix_openpt, unlockpt and ptsname, which Glibc's module leaves out.
            master = Glibc.open("/dev/ptmx", O_RDWR | O_NOCTTY)
            var lock: Int32 = 0
            var number: Int32 = -1
            try #require(ioctl(master, UInt(0x4004_5431), &lock) == 0, "TIOCSPTLCK")
            try #require(ioctl(master, UInt(0x8004_5430), &number) == 0, "TIOCGPTN")
            terminal = Glibc.open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
            try #require(terminal >= 0)
            resize(80, 24)
        }

        deinit {
            Glibc.close(master)
            Glibc.close(terminal)
        }

        func resize(_ columns: UInt16, _ rows: UInt16) {
            var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
            _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
        }

        func type(_ keys: String) { writeAll(Array(keys.utf8), to: master) }

        /// Reads until the terminal receives these words. Returns false if it doesn't receive them in time.
        func shows(_ words: String) -> Bool {
            let end = ContinuousClock.now + Patience.limit
            while !output.contains(words), ContinuousClock.now < end {
                var ready = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
                guard poll(&ready, 1, 100) > 0 else { continue }
                var bytes = [UInt8](repeating: 0, count: 65536)
                let count = read(master, &bytes, bytes.count)
                output += String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
            }
            return output.contains(words)
        }

        func forget() { output = "" }

        /// The input, output, control and local modes.
        var modes: [tcflag_t] {
            var modes = termios()
            tcgetattr(terminal, &modes)
            return [modes.c_iflag, modes.c_oflag, modes.c_cflag, modes.c_lflag]
        }
    }

    @Test func aTerminalIsTakenDrawnOnAndGivenBack() throws {
        let pty = try Pty()
        let before = pty.modes
        var rehearsal = try Rehearsal()
        let wishes = Mutex<[CandidateAction]>([])
        let notes = Mutex<[String]>([])
        let screen = TerminalScreen(
            script: rehearsal.script, title: rehearsal.title, paperTitle: rehearsal.paperTitle,
            options: rehearsal.options(), notes: "", terminal: Terminal(input: pty.terminal, output: pty.terminal),
            act: { action in wishes.withLock { $0.append(action) } },
            keepNotes: { text in notes.withLock { $0.append(text) } })
        #expect(pty.modes != before)
        #expect(pty.shows("THE EXAM IS ABOUT TO BEGIN."))
        #expect(pty.output.hasPrefix("\u{1B}[?1049h"), "a screen of its own")

        screen.show(try rehearsal.toPreparation())
        #expect(pty.shows("PREPARE: you may write notes."))
        pty.type("stone\u{1B}[A")
        #expect(pty.shows("stone"))
        pty.type("\u{1B}")
        waitFor { wishes.withLock { !$0.isEmpty } }
        #expect(wishes.withLock { $0 } == [.wish(.pause)], "after a while, ESC alone is the key")
        #expect(notes.withLock { $0.last } == "stone")

        pty.forget()
        pty.resize(60, 16)
        kill(getpid(), SIGWINCH)
        #expect(pty.shows("\u{1B}[5;1H  Describe a bridge"), "drawn anew, without the frame, in the smaller window")

        pty.forget()
        screen.close()
        screen.close()
        #expect(pty.shows("\u{1B}[?25h\u{1B}[?1049l"))
        #expect(pty.modes == before)
        pty.forget()
        screen.show(rehearsal.view)
        screen.heard(level: -20, at: rehearsal.now)
        screen.close()
        #expect(pty.output.isEmpty)
        pty.type("for the next one\n")
        var line = [UInt8](repeating: 0, count: 64)
        #expect(read(pty.terminal, &line, line.count) == 17, "the screen no longer reads keys")
    }

    @Test func aTerminalThatGoesAwayIsAWishToLeave() throws {
        var pty: Pty? = try Pty()
        let rehearsal = try Rehearsal()
        let wishes = Mutex<[CandidateAction]>([])
        let keys = dup(pty!.terminal)
        defer { Glibc.close(keys) }
        let screen = TerminalScreen(
            script: rehearsal.script, title: "", paperTitle: "", options: rehearsal.options(), notes: "",
            terminal: Terminal(input: keys, output: keys), act: { action in wishes.withLock { $0.append(action) } },
            keepNotes: { _ in })
        pty = nil
        waitFor { wishes.withLock { !$0.isEmpty } }
        #expect(wishes.withLock { $0 } == [.leave])
        screen.close()
    }

    private func waitFor(_ condition: () -> Bool) {
        #expect(Patience.poll { condition() ? true : nil } == true)
    }
}
