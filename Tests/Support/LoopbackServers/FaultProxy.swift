import Synchronization

/// A proxy in front of a server on loopback that causes a network's faults on each connection.
///
/// It passes on bytes without knowledge of HTTP, except for `duplicate` and `lostAnswer`, which need the end of a
/// message.
public final class FaultProxy: Sendable {
    private let server: TCPServer
    private let carriers: Carriers

    /// Small, so that a client's bytes wait at the client, as with a slow connection, and not here.
    private static let receiveBuffer = 16 * 1024

    /// - Parameters:
    ///   - port: The server's port on 127.0.0.1. If no server listens there, the client's connection is reset.
    ///   - fault: Returns the fault of the connection with this number (0, 1, 2 …), in the order of arrival. Called on
    ///     that connection's thread.
    public init(to port: Int, fault: @escaping @Sendable (Int) -> Fault) throws(SocketFailure) {
        let carriers = Carriers()
        self.carriers = carriers
        server = try TCPServer(receiveBuffer: Self.receiveBuffer) { client, number in
            let fault = fault(number)
            if fault == .halfOpen {
                while !client.read().isEmpty {}
                return
            }
            guard let upstream = try? TCPConnection(port: port) else { return client.reset() }
            guard carriers.enter(number, upstream) else { return }
            defer { carriers.leave(number) }
            Carrier(client: client, server: upstream, port: port, fault: fault).run()
        }
    }

    /// Makes a proxy with one fault after another. Connections after the last fault work normally.
    public convenience init(to port: Int, script: [Fault]) throws(SocketFailure) {
        try self.init(to: port) { number in number < script.count ? script[number] : .none }
    }

    deinit { stop() }

    public var port: Int { server.port }

    /// The URL without a slash at the end: `http://127.0.0.1:41234`.
    public var url: String { "http://127.0.0.1:\(port)" }

    /// The number of connections so far.
    public var connectionCount: Int { server.connectionCount }

    /// The number of open connections.
    public var openCount: Int { server.openCount }

    /// Stops listening before it returns, and cuts all connections, including stalled ones.
    public func stop() {
        server.stop()
        carriers.stop()
    }
}

/// The connections to the server behind the proxy, so that all can be cut.
private final class Carriers: Sendable {
    private let state = Mutex<(open: [Int: TCPConnection], isStopped: Bool)>(([:], false))

    func enter(_ number: Int, _ connection: TCPConnection) -> Bool {
        state.withLock { state in
            if !state.isStopped { state.open[number] = connection }
            return !state.isStopped
        }
    }

    func leave(_ number: Int) {
        let gone = state.withLock { $0.open.removeValue(forKey: number) }
        gone?.close()
    }

    func stop() {
        state.withLock { state in
            state.isStopped = true
            for connection in state.open.values { connection.wake() }
        }
    }
}
