import Foundation
import Logging
import Synchronization

/// A log in memory: the messages about each session.
final class KeptLog: Sendable {
    private let lines = Mutex<[(message: String, session: String?)]>([])
    private let written = Mutex<[String]>([])
    /// The most lines of text to keep. The server of a fuzzer logs a lot.
    private static let longest = 20_000

    var logger: Logger { Logger(label: "test", factory: { _ in Handler(log: self) }) }

    /// Returns the messages about a session, in order.
    func notes(of session: UUID) -> [String] {
        lines.withLock { $0.filter { $0.session == session.uuidString.lowercased() }.map(\.message) }
    }

    /// The whole log, one line each: time, level, message, session and request.
    var text: String { written.withLock { $0.map { $0 + "\n" }.joined() } }

    private func write(_ line: String) {
        written.withLock { written in
            if written.count >= Self.longest { written.removeFirst(Self.longest / 2) }
            written.append(line)
        }
    }

    private struct Handler: LogHandler {
        let log: KeptLog
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.info

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let about = metadata.merging(event.metadata ?? [:]) { $1 }.map { "\($0)=\($1)" }.sorted()
            log.write(
                "\(Date().ISO8601Format()) \(event.level) \(event.message) \(about.joined(separator: " "))")
            log.lines.withLock { $0.append(("\(event.message)", event.metadata?["session"].map { "\($0)" })) }
        }
    }
}
