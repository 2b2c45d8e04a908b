import Glibc
import Synchronization
import SystemSupport
import UploadQueue

/// Shows the progress of sending: redrawn in place in a terminal, otherwise a line for each arrival.
final class UploadsScreen: Sendable {
    private struct State {
        var drawn = 0
        var delivered = 0
        var trouble: String?
        var shownAt = Duration.zero
    }

    private let place: String
    private let isTerminal: Bool
    private let state = Mutex(State())

    /// Ten frames a second look smooth.
    private static let interval = Duration.milliseconds(100)

    init(place: String, isTerminal: Bool = isatty(STDOUT_FILENO) == 1) {
        self.place = place
        self.isTerminal = isTerminal
    }

    /// - Parameter isLast: Whether this is the last frame, which is always drawn.
    @Sendable func show(_ progress: SendingProgress, isLast: Bool = false) {
        let now = SteadyClock.now
        state.withLock { state in
            let frame = UploadsFrame(place: place, progress: progress, columns: Terminal().size.columns)
            if isTerminal {
                guard isLast || now - state.shownAt >= Self.interval else { return }
                state.shownAt = now
                let lines = frame.lines(at: now)
                let up = state.drawn > 0 ? "\u{1b}[\(state.drawn)A" : ""
                put(up + "\r\u{1b}[J" + lines.joined(separator: "\n") + "\n")
                state.drawn = lines.count
            } else {
                let trouble = frame.trouble(at: now).map { String($0.prefix { $0 != ";" }) }
                if progress.delivered > state.delivered || isLast && state.delivered == 0 {
                    put(
                        "\(progress.delivered) of \(progress.delivered + progress.open) arrived, \(Int(progress.fraction * 100)) %\n"
                    )
                }
                if let trouble, trouble != state.trouble { put(trouble + "\n") }
                (state.delivered, state.trouble) = (progress.delivered, trouble)
            }
        }
    }

    private func put(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(STDOUT_FILENO, bytes, bytes.count)
    }
}
