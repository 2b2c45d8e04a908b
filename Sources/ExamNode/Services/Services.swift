public import ExamStore
package import Foundation
public import Logging
public import RecordingStores
package import Study

/// The services shared by all routes of a server.
public struct Services: Sendable {
    /// The server's configuration.
    public let settings: ServerSettings
    /// The database with users' rows and the service's own.
    public let store: ExamDatabase
    /// The storage for recordings.
    public let audio: any AudioStore
    /// The values for `/metrics`.
    public let metrics: ServerMetrics
    /// The log. It contains only ids and counts: no voices, words, names or tokens.
    public let logger: Logger
    /// The clock by which signed addresses expire.
    package var clock: @Sendable () -> Date = { Date() }
    /// The memory for data that clients haven't read yet.
    package let outbound = OutboundRoom()
    /// The workers that decode recordings.
    package let sound: SoundWorkers
    /// The assessors, which `ExamBackend` sets.
    package var panel = AssessorPanel()
    /// The material that all learners can practise, which `ExamBackend` sets.
    package var practice = PracticeContent.builtIn

    public init(
        settings: ServerSettings, store: ExamDatabase, audio: any AudioStore, metrics: ServerMetrics = ServerMetrics(),
        logger: Logger
    ) {
        self.settings = settings
        self.store = store
        self.audio = audio
        self.metrics = metrics
        self.logger = logger
        sound = SoundWorkers(program: settings.soundProgram, limits: settings.soundLimits, logger: logger)
    }

    /// Returns the operations of a user. Finished sessions are queued for this server's assessors and markers, and
    /// answers of other sessions for its recogniser.
    package func owned(by user: UUID) -> OwnedStore {
        store.owned(by: user, assessor: panel.version, markers: settings.markers, hears: !panel.recognisers.isEmpty)
    }
}
