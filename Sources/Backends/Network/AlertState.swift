/// An alert of an application after a failure, and the action of its button.
///
/// ```swift
/// let alert = AlertState.error(.offline) { print("again") }
/// print(alert.title, alert.message, alert.retry == nil ? "Close" : "Try again")
/// ```
public struct AlertState: Sendable {
    /// Two or three words: "No connection".
    public let title: String
    /// One sentence without a full stop.
    public let message: String
    /// Asks again; nil if that can't help.
    public let retry: (@Sendable () -> Void)?

    /// - Parameter retry: Offered only if the problem may pass by itself.
    public static func error(_ problem: ServiceProblem, retry: @escaping @Sendable () -> Void) -> AlertState {
        AlertState(title: problem.title, message: problem.sentence, retry: problem.isRetryable ? retry : nil)
    }
}
