public import ExamStore
package import Foundation
public import Logging

/// What all routes of a server share.
public struct Services: Sendable {
    /// What the server was set to.
    public let settings: ServerSettings
    /// Rows: users' own, and the service's.
    public let store: ExamDatabase
    /// Recordings.
    public let audio: any AudioStore
    /// What `/metrics` says.
    public let metrics: ServerMetrics
    /// Ids and counts only: no voices, words, names or tokens.
    public let logger: Logger
    /// What addresses run out by.
    package var clock: @Sendable () -> Date = { Date() }
    /// Memory for what waits to be read by clients.
    let outbound = OutboundRoom()
    /// Who decodes recordings.
    package let sound: SoundWorkers
    /// `ExamBackend`'s.
    var panel = AssessorPanel()

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

    /// What a user may do; sessions that are over are queued for this server's assessors and markers.
    func owned(by user: UUID) -> OwnedStore {
        store.owned(by: user, assessor: panel.version, markers: settings.markers)
    }
}
