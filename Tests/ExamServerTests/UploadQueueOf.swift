import Foundation
import UploadQueue
import Uploaders

/// A client's queue of uploads, sent to a server.
struct UploadQueueOf {
    private let server: RunningServer
    private let queue: UploadQueue

    init(_ server: RunningServer) throws {
        self.server = server
        queue = try UploadQueue(folder: "\(server.folder)/client-\(UUID())")
    }

    /// - Returns: how many have arrived.
    @discardableResult
    func send(_ held: SessionTests.Held, _ token: String) async throws -> Int {
        try queue.add(held.uploads)
        let uploader = BackendUploader(url: server.url, client: HTTPClient(), token: { token })
        return try await queue.send(through: uploader, until: .atRest, deadline: .seconds(60)).delivered
    }
}
