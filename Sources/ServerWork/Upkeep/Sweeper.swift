public import ExamNode
import ExamStore
import Foundation
import Logging
import RecordingStores
public import ServiceLifecycle
import SystemSupport

/// Cleans up abandoned uploads, erased sessions and expired lines of the audit log. It runs alongside the server, on
/// any number of nodes.
public struct Sweeper: Service {
    private let services: Services
    private let interval: Duration

    /// The seconds after an erasure during which the session's storage is still checked. After that, no upload can be
    /// on its way.
    private static let vigil = 3_600

    /// Creates a sweeper.
    ///
    /// - Parameter interval: the time between two checks.
    public init(services: Services, every interval: Duration = .seconds(600)) {
        self.services = services
        self.interval = interval
    }

    public func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                await sweep()
                try await Task.sleep(for: interval)
            }
        }
    }

    /// Cleans up once. Anything that cannot be removed is tried again the next time.
    ///
    /// - Returns: the number of removed uploads.
    @discardableResult public func sweep() async -> Int {
        let count = await removeUploads()
        if count > 0 { services.logger.info("removed \(count) uploads that were not continued") }
        await finishErasures()
        await removeFiles()
        try? await services.store.service.removeOldReadings()
        try? await services.store.service.removeOldSeals()
        try? await services.store.service.forgetSpenders()
        return count
    }

    private func removeUploads() async -> Int {
        var count = 0
        while let expired = try? await services.store.service.expiredUploads(limit: 100), !expired.isEmpty {
            let before = count
            for (user, upload) in expired {
                // Remove the bytes first: without their row, no sweep would find them.
                if let key = AudioKey(upload.key), (try? await removeObject(key)) == nil { continue }
                if (try? await services.owned(by: user).delete(upload: upload.id)) != nil { count += 1 }
            }
            guard count > before else { break }
        }
        return count
    }

    /// Removes an upload's object from storage. Keeps it if another upload of the same bytes made it a recording.
    private func removeObject(_ key: AudioKey) async throws {
        guard try await !services.store.service.isRecording(key: key.text) else { return }
        try await services.audio.remove(key)
    }

    /// Removes files that killed processes left on this node's disk and in a folder of recordings.
    private func removeFiles() async {
        let (scratch, folder) = (ScratchFiles(settings: services.settings), services.audio as? FolderAudioStore)
        await runBlocking {
            scratch.removeOld()
            folder?.removeLeftovers()
        }
    }

    private func finishErasures() async {
        for erasure in (try? await services.store.service.erasures(limit: 1_000)) ?? [] {
            guard (try? await services.audio.removeAll(of: erasure.session, user: erasure.user)) != nil,
                let erasedAt = WallTime(utc: erasure.erasedAt),
                WallTime.now.secondsSince1970 - erasedAt.secondsSince1970 > Self.vigil
            else { continue }
            try? await services.store.service.finish(erasure)
        }
    }
}
