import ExamNode
import ExamStore
import Logging

extension Services {
    /// Does waiting work whenever the store wakes it, until the task is cancelled.
    ///
    /// - Parameters:
    ///   - what: the name of the work in the server's log.
    ///   - once: does one piece of work. Returns false if no work is waiting.
    func work(on what: String, once: () async throws(StoreError) -> Bool) async {
        for await _ in store.service.wakeUps() {
            while !Task.isCancelled {
                do {
                    guard try await once() else { break }
                } catch {
                    // The store is unavailable. It wakes this again when there may be work.
                    logger.warning("\(what)", metadata: ["what": "\(error.message)"])
                    break
                }
            }
            if Task.isCancelled { return }
        }
    }
}
