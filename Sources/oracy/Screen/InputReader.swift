import Dispatch
import Glibc
import Synchronization

/// Bytes from the candidate's keyboard, or from a pipe, read on a thread of its own.
///
/// It waits for two things at once, the input and a pipe of its own, so that it can be told to end: a reader that still
/// waits after the exam would take what is meant for whoever asks next.
final class InputReader: Sendable {
    enum News: Equatable, Sendable {
        case bytes([UInt8])
        /// Nothing came for 50 ms after the last bytes.
        case quiet
        /// There is nothing more to come, or nobody to type it.
        case ended
        /// What a signal handler wrote to `bell`.
        case signal(UInt8)
    }

    /// The end to write to, for signal handlers.
    let bell: Int32
    private let pipe: (read: Int32, write: Int32)
    private let isStopped = Atomic<Bool>(false)

    /// What tells the reader itself to end.
    private static let stopByte: UInt8 = 0

    init() {
        var ends: [Int32] = [-1, -1]
        _ = Glibc.pipe(&ends)
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)  // A signal handler may not wait.
        }
        pipe = (ends[0], ends[1])
        bell = ends[1]
    }

    deinit {
        Glibc.close(pipe.read)
        Glibc.close(pipe.write)
    }

    /// - Parameter news: called on the reader's thread.
    func start(_ input: Int32, news: @escaping @Sendable (News) -> Void) {
        DispatchQueue(label: "oracy.keys").async { [self] in read(input, news) }
    }

    /// Idempotent; at most one read that is going on already still gives news.
    func stop() {
        guard !isStopped.exchange(true, ordering: .relaxed) else { return }
        var byte = Self.stopByte
        _ = write(pipe.write, &byte, 1)
    }

    private func read(_ input: Int32, _ news: (News) -> Void) {
        var input = input
        var quietIn: Int32 = -1  // Milliseconds; -1: it was said already.
        var buffer = [UInt8](repeating: 0, count: 1024)
        while true {
            // A negative descriptor is not waited for.
            var ready = [
                pollfd(fd: pipe.read, events: Int16(POLLIN), revents: 0),
                pollfd(fd: input, events: Int16(POLLIN), revents: 0),
            ]
            let count = poll(&ready, 2, quietIn)
            if count < 0 { continue }  // A signal; its handler has written to the pipe.
            if count == 0 {
                quietIn = -1
                news(.quiet)
            }
            if ready[0].revents != 0 {
                var byte: UInt8 = 0
                guard Glibc.read(pipe.read, &byte, 1) == 1, byte != Self.stopByte else { return }
                news(.signal(byte))
            } else if ready[1].revents != 0 {
                let length = Glibc.read(input, &buffer, buffer.count)
                if length > 0 {
                    quietIn = 50
                    news(.bytes(Array(buffer.prefix(length))))
                } else if length == 0 || errno != EINTR && errno != EAGAIN {
                    input = -1
                    news(.ended)
                }
            }
        }
    }
}
