import Synchronization

/// Stands in front of a server on loopback and does to each connection what a network may do to it.
///
/// It carries bytes and knows nothing of HTTP, but for `duplicate` and `lostAnswer`, which have to know where a message ends.
public final class FaultProxy: Sendable {
    private let server: TCPServer
    private let carriers: Carriers

    /// Small, so that a client's bytes wait at the client as they do before a slow line, and not here.
    private static let receiveBuffer = 16 * 1024

    /// - Parameters:
    ///   - port: the server's on 127.0.0.1; where nobody listens, the client's connection is reset.
    ///   - fault: what happens to the connection with this number (0, 1, 2 …), in the order they came; called on that
    ///     connection's thread.
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

    /// One fault after the other; connections after the last one are carried as they come.
    public convenience init(to port: Int, script: [Fault]) throws(SocketFailure) {
        try self.init(to: port) { number in number < script.count ? script[number] : .none }
    }

    deinit { stop() }

    public var port: Int { server.port }

    /// `http://127.0.0.1:41234`, without a slash at the end.
    public var url: String { "http://127.0.0.1:\(port)" }

    /// How many connections it has taken so far.
    public var connectionCount: Int { server.connectionCount }

    /// How many of them are open now.
    public var openCount: Int { server.openCount }

    /// Nobody listens any more when it returns, and all connections are cut, stalled ones too.
    public func stop() {
        server.stop()
        carriers.stop()
    }
}

/// The connections to the server behind, so that all can be cut.
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
