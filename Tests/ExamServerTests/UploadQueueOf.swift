import Backends
import Foundation
import HTTPClient
import UploadQueue

/// A client's queue of uploads, sent to a server.
struct UploadQueueOf {
    private let url: String
    private let queue: DeliveryQueue

    init(_ server: RunningServer) throws { try self.init(server.url, in: server.folder) }

    /// - Parameter folder: The folder in which the queue makes a folder of its own.
    init(_ url: String, in folder: String) throws {
        self.url = url
        queue = try DeliveryQueue(folder: "\(folder)/client-\(UUID())")
    }

    /// Sends a session.
    ///
    /// - Returns: The number of uploads that arrived.
    @discardableResult
    func send(_ held: SessionTests.Held, _ token: String) async throws -> Int {
        try queue.add(held.uploads)
        let uploader = BackendUploader(url: url, client: CurlClient(), token: { token })
        return try await queue.send(through: uploader, until: .atRest, deadline: .seconds(60)).delivered
    }
}
