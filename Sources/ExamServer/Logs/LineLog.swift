import Glibc
public import Logging
import SystemSupport

/// Writes the log to standard error, one line in one `write(2)`, so that lines of several threads and programs do not
/// mix.
///
/// ```
/// 2026-11-22T10:00:00.123Z info request method=GET route=/v1/me status=200 ms=1.2 bytes=80 request=0f3a… node=a
/// {"time":"2026-11-22T10:00:00.123Z","level":"info","message":"request","method":"GET",…,"node":"a"}
/// ```
/// Any thread may use it. If standard error is not writable, lines are lost, and the program continues.
public struct LineLog: LogHandler {
    /// The format of lines.
    public enum Format: String, CaseIterable, Sendable {
        /// Words and `name=value` pairs, for people and `grep`.
        case text
        /// One JSON object on each line. All values are strings.
        case json
    }

    public var metadata: Logger.Metadata = [:]
    public var metadataProvider: Logger.MetadataProvider?
    public var logLevel: Logger.Level

    private let format: Format
    private let node: String

    /// Creates a log.
    ///
    /// - Parameters:
    ///   - level: the lowest level to write.
    ///   - node: this node's name, which is in every line.
    public init(_ format: Format, level: Logger.Level, node: String) {
        self.format = format
        self.node = node
        logLevel = level
    }

    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    public func log(event: LogEvent) {
        var all = metadata.merging(metadataProvider?.get() ?? [:]) { $1 }.merging(event.metadata ?? [:]) { $1 }
        // An error's message may quote a candidate, so only its type is logged.
        if let error = event.error { all["error"] = "\(type(of: error))" }
        let line = LogLine(
            time: LogLine.now, level: event.level.rawValue, message: event.message.description,
            fields: all.mapValues(\.description), node: node)
        _ = PrivateFile.writeAll(Array(((format == .json ? line.json : line.text) + "\n").utf8), to: STDERR_FILENO)
    }
}
