import Synchronization
import SystemSupport
import UploadQueue

/// Runs blocking work like the function in `SystemSupport`, but lets it end between its steps if its task is cancelled.
///
/// - Parameter work: Receives a check to call between its steps. The check throws `cancelled` if the task was
///   cancelled.
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
