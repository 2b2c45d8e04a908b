import Dispatch

/// Runs blocking work, such as slow disk access, on a Dispatch thread, so that it doesn't occupy one of the few threads
/// of the concurrency pool.
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
