public import ExamStore
public import Logging

/// What all routes of a server share.
public struct Services: Sendable {
    public let settings: ServerSettings
    public let store: ExamDatabase
    public let audio: any AudioStore
    public let metrics: ServerMetrics
    /// Ids and counts only: no voices, words, names or tokens.
    public let logger: Logger

    public init(
        settings: ServerSettings, store: ExamDatabase, audio: any AudioStore, metrics: ServerMetrics = ServerMetrics(),
        logger: Logger
    ) {
        self.settings = settings
        self.store = store
        self.audio = audio
        self.metrics = metrics
        self.logger = logger
    }
}
