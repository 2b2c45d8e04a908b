import ExamStore
import Logging

extension Services {
    /// Does what there is to do whenever the store says that there may be something, until the task is cancelled.
    ///
    /// - Parameters:
    ///   - what: names the work in the server's log.
    ///   - once: does one piece; false where there was none.
    func work(on what: String, once: () async throws(StoreError) -> Bool) async {
        for await _ in store.service.wakeUps() {
            while !Task.isCancelled {
                do {
                    guard try await once() else { break }
                } catch {
                    // The store is away: it says when there may be work again.
                    logger.warning("\(what)", metadata: ["what": "\(error.message)"])
                    break
                }
            }
            if Task.isCancelled { return }
        }
    }
}
