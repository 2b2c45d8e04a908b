/// A client's connection, as the exam at its other end needs it: `LiveConnection`, or a test's.
///
/// Anyone may call from any thread; nothing waits.
protocol ClientConnection: AnyObject, Sendable {
    /// Which of this process's connections it is.
    var number: Int { get }

    func send(_ text: String)
    /// Sends what is not worth waiting for: nothing where anything waits.
    func sendIfQuick(_ text: String)
    /// - Parameter block: the next one that is wanted: nothing more is to be said of those before it.
    func send(welcome text: String, block: UInt32)
    /// Says which blocks were heard; and again when nothing else is said for a while.
    func send(heardBefore block: UInt32)
    /// Says why and closes; the first reason counts.
    func close(_ reason: CloseReason)
}
