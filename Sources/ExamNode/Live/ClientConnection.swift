/// A client's connection from the exam's point of view: `LiveConnection`, or a test's.
///
/// All functions may be called from any thread and do not wait.
package protocol ClientConnection: AnyObject, Sendable {
    /// The number of the connection in this process.
    var number: Int { get }

    func send(_ text: String)
    /// Sends a message that is useless if it is late. Drops it if other messages are waiting.
    func sendIfQuick(_ text: String)
    /// Sends the welcome.
    ///
    /// - Parameter block: the next block that the server wants. Earlier blocks need not be acknowledged any more.
    func send(welcome text: String, block: UInt32)
    /// Acknowledges blocks, and repeats that if nothing else is sent for a while.
    func send(heardBefore block: UInt32)
    /// Sends the reason and closes. The first reason counts.
    func close(_ reason: CloseReason)
}

/// A client's connection from the registry's point of view, which also counts it and opens its exam.
package protocol RegisteredConnection: ClientConnection {
    /// The executor of the connection's tasks, on which its exam is heard, too.
    var loop: any TaskExecutor { get }
    /// The exam that the client joined.
    var exam: RunningExam? { get }

    /// Checks whether the client is still alive, and shows it that the server is. Called several times a second.
    func look()
}
