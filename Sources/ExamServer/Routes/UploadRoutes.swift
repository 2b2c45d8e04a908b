import ExamStore
import Foundation
public import Hummingbird
import Logging
public import ServiceLifecycle

/// Every way by which recordings get in but `PUT …/recording` (`RecordingIntake.put`): resumable uploads (tus 1.0.0) and addresses to upload
/// to (C14).
///
/// - Parameter routes: of `/v1`, behind authentication, which has to let `PUT /v1/uploads/direct/…` pass without a token: its address
///   is its permission.
public func addUploadRoutes(to routes: RouterGroup<ServerContext>, services: Services) {
    ResumableUploadRoutes(services: services).add(to: routes)
    SignedUploadRoutes(services: services).add(to: routes)
}

/// Removes uploads that nobody went on with, from the stores of rows and of sound; beside the server, on any number of nodes.
public struct UploadSweeper: Service {
    private let services: Services
    private let interval: Duration

    /// - Parameter interval: between two looks.
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

    /// Looks once. What cannot be removed is looked at again the next time.
    ///
    /// - Returns: how many uploads went.
    @discardableResult public func sweep() async -> Int {
        var count = 0
        while let expired = try? await services.store.service.expiredUploads(limit: 100), !expired.isEmpty {
            let before = count
            for (user, upload) in expired {
                // The bytes first: without its row nobody would find them.
                if let key = AudioKey(upload.key), (try? await services.audio.remove(key)) == nil { continue }
                if (try? await services.store.owned(by: user).delete(upload: upload.id)) != nil { count += 1 }
            }
            guard count > before else { break }
        }
        if count > 0 { services.logger.info("removed \(count) uploads that nobody went on with") }
        return count
    }
}
