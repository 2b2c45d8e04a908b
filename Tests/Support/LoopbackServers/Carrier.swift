import Glibc

/// Passes on one connection's bytes in both directions, and applies the fault. Runs on the connection's thread.
struct Carrier {
    let client: TCPConnection
    let server: TCPConnection
    /// The server's port, for a second request.
    let port: Int
    let fault: Fault

    private enum Direction { case up, down }

    /// Returns when both directions have ended. The owner closes the connections, unless they were reset.
    func run() {
        switch fault {
        case .duplicate: exchange(twice: true)
        case .lostAnswer: exchange(twice: false)
        default: carry()
        }
    }

    private func carry() {
        var open: Set<Direction> = [.up, .down]
        var carried: [Direction: Int] = [.up: 0, .down: 0]
        guard strike(after: carried, &open) else { return }
        while !open.isEmpty {
            for direction in ready(open) {
                let (from, to) = direction == .up ? (client, server) : (server, client)
                let bytes = from.read(atMost: pieceSize(direction, carried[direction]!))
                guard !bytes.isEmpty else {
                    open.remove(direction)
                    to.endWriting()
                    continue
                }
                pause(for: bytes.count)
                guard to.write(bytes) else { return }
                carried[direction]! += bytes.count
                guard strike(after: carried, &open) else { return }
            }
        }
    }

    /// Waits until at least one open direction has data or has ended, and returns all such directions.
    private func ready(_ open: Set<Direction>) -> [Direction] {
        // poll(2) ignores negative descriptors.
        var ends = [
            pollfd(fd: open.contains(.up) ? client.descriptor : -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: open.contains(.down) ? server.descriptor : -1, events: Int16(POLLIN), revents: 0),
        ]
        poll(&ends, 2, -1)
        return zip([Direction.up, .down], ends).filter { $0.1.revents != 0 }.map(\.0)
    }

    /// The byte at which the fault happens, and its direction, if it happens at a byte.
    private var point: (direction: Direction, count: Int)? {
        switch fault {
        case .resetAfterUp(let count), .stallAfterUp(let count), .halfCloseAfterUp(let count): (.up, count)
        case .resetAfterDown(let count), .stallAfterDown(let count), .halfCloseAfterDown(let count): (.down, count)
        default: nil
        }
    }

    /// Returns the size of the next piece, which never goes beyond the byte of the fault.
    private func pieceSize(_ direction: Direction, _ carried: Int) -> Int {
        if case .slow(let bytesPerSecond) = fault { return max(1, min(16 * 1024, bytesPerSecond / 20)) }
        guard let point, point.direction == direction, point.count > carried else { return 16 * 1024 }
        return min(16 * 1024, point.count - carried)
    }

    private func pause(for count: Int) {
        switch fault {
        case .latency(let duration): usleep(UInt32(duration / .microseconds(1)))
        case .slow(let bytesPerSecond): usleep(UInt32(1_000_000 * count / max(1, bytesPerSecond)))
        default: break
        }
    }

    /// Applies the fault if the byte at which it happens was reached. Returns false if the fault ended the connection.
    private func strike(after carried: [Direction: Int], _ open: inout Set<Direction>) -> Bool {
        guard let point, open.contains(point.direction), carried[point.direction]! == point.count else { return true }
        switch fault {
        case .halfCloseAfterUp, .halfCloseAfterDown:
            (point.direction == .up ? server : client).endWriting()
            open.remove(point.direction)
            return true
        case .stallAfterUp, .stallAfterDown:
            // Stall until the client is gone, or the proxy is stopped. The client's data stays in the kernel.
            let clientHasGone: Int16 = 0x2000  // Linux' POLLRDHUP, which Swift's Glibc lacks
            var end = [pollfd(fd: client.descriptor, events: clientHasGone, revents: 0)]
            poll(&end, 1, -1)
            return false
        default:
            client.reset()
            server.reset()
            return false
        }
    }

    /// Passes on whole requests and answers: sends each request twice, or loses the first answer.
    private func exchange(twice: Bool) {
        var fromClient = HTTPReader(client)
        var fromServer = HTTPReader(server)
        while var request = fromClient.head(), fromClient.readBody(of: &request) {
            guard server.write(request.bytes), let answer = answer(&fromServer, to: request) else { return }
            guard twice else { return client.reset() }
            if let again = try? TCPConnection(port: port) {
                var reader = HTTPReader(again)
                if again.write(request.bytes) { _ = self.answer(&reader, to: request) }
            }
            guard client.write(answer.bytes) else { return }
        }
    }

    private func answer(_ reader: inout HTTPReader, to request: HTTPMessage) -> HTTPMessage? {
        guard var answer = reader.head(),
            reader.readBody(of: &answer, isHeadOnly: request.startLine.hasPrefix("HEAD "))
        else { return nil }
        return answer
    }
}
