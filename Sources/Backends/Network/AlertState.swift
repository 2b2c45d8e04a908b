/// What an application says when something failed, and what its button does (V14).
///
/// ```swift
/// let alert = AlertState.error(.offline) { print("again") }
/// print(alert.title, alert.message, alert.retry == nil ? "Close" : "Try again")
/// ```
public struct AlertState: Sendable {
    /// Two or three words: "No connection".
    public let title: String
    /// A sentence, without a full stop.
    public let message: String
    /// Asks once more; nil where that cannot help.
    public let retry: (@Sendable () -> Void)?

    /// - Parameter retry: it is offered only where the problem may pass by itself.
    public static func error(_ problem: ServiceProblem, retry: @escaping @Sendable () -> Void) -> AlertState {
        AlertState(title: problem.title, message: problem.sentence, retry: problem.isRetryable ? retry : nil)
    }
}
