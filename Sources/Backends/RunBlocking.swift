import Synchronization
import SystemSupport
import UploadQueue

/// Does work that blocks as `SystemSupport`'s does, and lets it end between its steps when its task is cancelled.
///
/// - Parameter work: is handed a check to be called between its steps, which throws `cancelled` when the task was cancelled.
func runBlocking<Value: Sendable>(
    _ work: @escaping @Sendable (_ check: () throws(DeliveryFailure) -> Void) throws(DeliveryFailure) -> Value
) async throws(DeliveryFailure) -> Value {
    let flag = CancellationFlag()
    let result: Result<Value, DeliveryFailure> = await withTaskCancellationHandler {
        await runBlocking {
            Result { () throws(DeliveryFailure) in
                try work { () throws(DeliveryFailure) in
                    if flag.isSet.load(ordering: .relaxed) { throw DeliveryFailure(.cancelled) }
                }
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
