/// Runs blocking work, such as access to a slow disk, on a separate thread, so that it blocks none of the few threads
/// on which all tasks run.
///
/// - Parameter threads: the threads for this kind of work.
package func runBlocking<Value: Sendable, Failure: Error>(
    on threads: BlockingThreads = .files, _ work: @escaping @Sendable () throws(Failure) -> Value
) async throws(Failure) -> Value {
    let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
        threads.put {
            continuation.resume(returning: Result { () throws(Failure) in try work() })
        }
    }
    return try result.get()
}
