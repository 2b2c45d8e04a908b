import Dispatch
import Synchronization
import UploadQueue

/// Does work that blocks (a disk that takes its time) on a thread of Dispatch's, so that it holds none of the few that
/// everything else awaits on.
///
/// - Parameter work: is handed a check to be called between its steps, which throws `cancelled` when the task was cancelled.
func runBlocking<Value: Sendable>(
    _ work: @escaping @Sendable (_ check: () throws(DeliveryFailure) -> Void) throws(DeliveryFailure) -> Value
) async throws(DeliveryFailure) -> Value {
    let flag = CancellationFlag()
    let result: Result<Value, DeliveryFailure> = await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
            DispatchQueue.global(qos: .utility).async {
                let result = Result { () throws(DeliveryFailure) in
                    try work { () throws(DeliveryFailure) in
                        if flag.isSet.load(ordering: .relaxed) { throw DeliveryFailure(.cancelled) }
                    }
                }
                continuation.resume(returning: result)
            }
        }
    } onCancel: {
        flag.isSet.store(true, ordering: .relaxed)
    }
    return try result.get()
}

private final class CancellationFlag: Sendable {
    let isSet = Atomic(false)
}
