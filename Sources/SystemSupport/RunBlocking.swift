/// Does work that blocks (a disk that takes its time) on a thread that is there for it, so that it holds none of the few that everything
/// else awaits on.
///
/// - Parameter threads: those of this kind of work.
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
