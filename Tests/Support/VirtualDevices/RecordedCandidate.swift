import Foundation
import Synchronization

/// A candidate at a seat who reads a session's log, and plays a recording when the exam waits for an answer.
///
/// Since only the log is used, this works with an exam in the test, in another process, or in a process that is killed
/// and started again. A thread reads the log every 5 ms until `leave`.
public final class RecordedCandidate: Sendable {
    private let server: SoundServer
    private let seat: Seat
    private let log: String
    private let answers: [String: String]
    private let wait: Duration
    private let state = Mutex(State())

    private struct State {
        var hasLeft = false
        var speaking: Command?
    }

    /// - Parameters:
    ///   - log: A session's `log.jsonl`, which need not exist yet.
    ///   - answers: Sound files by the question's id. The candidate stays silent at a question without one.
    ///   - wait: The pause between the examiner's last word and the answer's first.
    public init(
        at seat: Seat, of server: SoundServer, log: String, answers: [String: String],
        wait: Duration = .milliseconds(500)
    ) {
        self.server = server
        self.seat = seat
        self.log = log
        self.answers = answers
        self.wait = wait
        Thread.detachNewThread { [self] in sit() }
    }

    /// Stops speaking for good.
    public func leave() {
        state.withLock { state in
            state.hasLeft = true
            Self.stop(&state)
        }
    }

    private var hasLeft: Bool { state.withLock { $0.hasLeft } }

    private func sit() {
        var read = 0
        while !hasLeft {
            usleep(5_000)
            guard let text = try? String(contentsOfFile: log, encoding: .utf8) else { continue }
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            // A torn line is cut off when the session is resumed. There are fewer lines then.
            for line in lines.dropFirst(min(read, lines.count)) { follow(line) }
            read = lines.count
        }
    }

    private func follow(_ line: Substring) {
        if line.contains("\"closeTake ") || line.contains("\"play ") { fallSilent() }
        guard line.contains("\"openTake "), let place = line.range(of: "\"phase\":\"awaiting ") else { return }
        let question = String(line[place.upperBound...].prefix { $0 != "\"" })
        guard let file = answers[question] else { return }
        usleep(UInt32(wait / .microseconds(1)))
        state.withLock { state in
            guard !state.hasLeft else { return }
            Self.stop(&state)
            // The latency buffers half a second, so that the sound has no gaps on a busy machine.
            state.speaking = try? server.den.begin(
                "paplay", ["--device=\(seat.mouth)", "--latency-msec=500", file], environment: server.environment)
        }
    }

    private func fallSilent() {
        state.withLock { Self.stop(&$0) }
    }

    private static func stop(_ state: inout State) {
        state.speaking?.process.stop()
        state.speaking?.forget()
        state.speaking = nil
    }
}
