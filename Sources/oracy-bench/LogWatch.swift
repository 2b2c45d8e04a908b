import Foundation
import Glibc
import Synchronization

/// Reads a session's log as it grows, and dates each line to a millisecond.
final class LogWatch: Sendable {
    struct Line {
        /// The time on `clockNow`'s clock.
        var seenAt: Double
        /// The exam's time in s.
        var at: Double
        var event: String
        var commands: [String]

        /// Returns the take that a command of this line names.
        func take(_ command: String) -> String? {
            let found = commands.first { $0.hasPrefix(command + " ") }
            return found.map { String($0.split(separator: " ")[1]) }
        }
    }

    private let state = Mutex<(lines: [Line], isOver: Bool)>(([], false))

    init(_ path: String) {
        Thread.detachNewThread { [weak self] in
            var file: Int32 = -1
            var rest: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 1 << 14)
            defer { if file >= 0 { close(file) } }
            while let self, !state.withLock({ $0.isOver }) {
                if file < 0 { file = open(path, O_RDONLY | O_CLOEXEC) }
                let count = file < 0 ? 0 : read(file, &buffer, buffer.count)
                let now = clockNow()
                if count > 0 {
                    rest += buffer[..<count]
                    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                        note(Data(rest[..<end]), now)
                        rest.removeFirst(end + 1)
                    }
                }
                usleep(1_000)
            }
        }
    }

    var lines: [Line] { state.withLock { $0.lines } }

    func stop() { state.withLock { $0.isOver = true } }

    private struct Text: Decodable {
        var at: Double
        var event: String
        var `do`: [String]
    }

    private func note(_ text: Data, _ now: Double) {
        // The heading isn't an event.
        guard let line = try? JSONDecoder().decode(Text.self, from: text) else { return }
        let new = Line(seenAt: now, at: line.at, event: line.event, commands: line.do)
        state.withLock { $0.lines.append(new) }
    }
}
