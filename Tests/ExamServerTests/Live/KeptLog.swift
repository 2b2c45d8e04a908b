import Foundation
import Logging
import Synchronization

/// A log that is kept to be looked at: what was said about which session.
final class KeptLog: Sendable {
    private let lines = Mutex<[(message: String, session: String?)]>([])

    var logger: Logger { Logger(label: "test", factory: { _ in Handler(log: self) }) }

    /// What was said about a session, in order.
    func notes(of session: UUID) -> [String] {
        lines.withLock { $0.filter { $0.session == session.uuidString.lowercased() }.map(\.message) }
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
            log.lines.withLock { $0.append(("\(event.message)", event.metadata?["session"].map { "\($0)" })) }
        }
    }
}
