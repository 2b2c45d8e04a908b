import Dispatch

/// Does work that blocks (a disk that takes its time) on a thread of Dispatch's, so that it holds none of the few that everything
/// else awaits on.
package func runBlocking<Value: Sendable, Failure: Error>(
    _ work: @escaping @Sendable () throws(Failure) -> Value
) async throws(Failure) -> Value {
    let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
        DispatchQueue.global(qos: .utility).async {
            continuation.resume(returning: Result { () throws(Failure) in try work() })
        }
    }
    return try result.get()
}
