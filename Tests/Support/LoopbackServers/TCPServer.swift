import Glibc
import Synchronization

/// Listens on a free port of 127.0.0.1 and gives each connection its own thread.
public final class TCPServer: Sendable {
    public let port: Int
    private let house: House

    /// - Parameters:
    ///   - receiveBuffer: The size of the buffer in which the system keeps bytes that `serve` has not read yet. Linux
    ///     doubles the number. Nil: the system chooses the size, which is megabytes. If the buffer is small, the sender
    ///     soon has to wait for a slow reader.
    ///   - serve: Called on the connection's thread with its number (0, 1, 2 …). The connection is closed when it
    ///     returns.
    public init(
        receiveBuffer: Int? = nil, _ serve: @escaping @Sendable (TCPConnection, Int) -> Void
    ) throws(SocketFailure) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard listener >= 0 else { throw SocketFailure("socket") }
        if let receiveBuffer {
            // Set before any connection, because connections inherit it.
            var size = Int32(receiveBuffer)
            setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        guard withLoopbackAddress(port: 0, { bind(listener, $0, $1) }) == 0, listen(listener, 1024) == 0 else {
            let failure = SocketFailure("bind")
            close(listener)
            throw failure
        }
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(listener, $0, &size) }
        }
        port = Int(in_port_t(bigEndian: address.sin_port))
        house = House(listener: listener)
        let house = house
        guard onThread({ house.accept(serve) }) else {
            close(listener)
            throw SocketFailure("pthread_create")
        }
    }

    deinit { stop() }

    /// The number of connections so far.
    public var connectionCount: Int { house.state.withLock { $0.count } }

    /// The number of open connections, whose threads are working or waiting for the other side.
    public var openCount: Int { house.state.withLock { $0.open.count } }

    /// Stops listening and cuts all connections before it returns. The connections' threads end by themselves later.
    public func stop() { house.stop() }
}

/// The state that the listening thread and the connections' threads share with the server.
private final class House: Sendable {
    struct State {
        var open: [Int: TCPConnection] = [:]
        var count = 0
        var isStopped = false
        var isListening = true
    }

    let state = Mutex(State())
    private let listener: Int32

    init(listener: Int32) { self.listener = listener }

    func accept(_ serve: @escaping @Sendable (TCPConnection, Int) -> Void) {
        while true {
            let descriptor = Glibc.accept(listener, nil, nil)
            if descriptor < 0 {
                if errno == EINTR || errno == ECONNABORTED { continue }
                // Too many files are open. Wait until some are closed.
                if errno == EMFILE || errno == ENFILE {
                    usleep(10_000)
                    continue
                }
                break
            }
            // Swift's Glibc has no `accept4`. A child process that inherited the descriptor would keep it open.
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            let connection = TCPConnection(descriptor: descriptor)
            let number: Int? = state.withLock { state in
                guard !state.isStopped else { return nil }
                defer { state.count += 1 }
                state.open[state.count] = connection
                return state.count
            }
            guard let number else { break }
            let isServed = onThread {
                serve(connection, number)
                connection.close()
                _ = self.state.withLock { $0.open.removeValue(forKey: number) }
            }
            if !isServed { _ = state.withLock { $0.open.removeValue(forKey: number) } }
        }
        state.withLock { state in
            close(listener)
            state.isListening = false
        }
    }

    func stop() {
        state.withLock { state in
            state.isStopped = true
            // The thread in `accept` continues with an error, and new connections are refused.
            if state.isListening { shutdown(listener, Int32(SHUT_RDWR)) }
            for connection in state.open.values { connection.wake() }
        }
    }
}

/// Runs work on a new thread. Returns false if no thread can be made.
func onThread(_ work: @escaping @Sendable () -> Void) -> Bool {
    final class Work: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
    let context = Unmanaged.passRetained(Work(work))
    var thread = pthread_t()
    let code = pthread_create(
        &thread, nil,
        { context in
            Unmanaged<Work>.fromOpaque(context!).takeRetainedValue().run()
            return nil
        }, context.toOpaque())
    guard code == 0 else {
        context.release()
        return false
    }
    pthread_detach(thread)
    return true
}
