import Dispatch
import Glibc
import Synchronization

/// Reads bytes from the candidate's keyboard or from a pipe, on its own thread.
///
/// It waits for the input and an internal pipe at the same time, so that it can be told to end. A reader that still
/// waited after the exam would take input meant for the next program.
final class InputReader: Sendable {
    enum News: Equatable, Sendable {
        case bytes([UInt8])
        /// Nothing arrived for 50 ms after the last bytes.
        case quiet
        /// The input has ended, or can't be read.
        case ended
        /// The byte that a signal handler wrote to `bell`.
        case signal(UInt8)
    }

    /// The writing end of the internal pipe, for signal handlers.
    let bell: Int32
    private let pipe: (read: Int32, write: Int32)
    private let isStopped = Atomic<Bool>(false)

    /// The byte that tells the reader to end.
    private static let stopByte: UInt8 = 0

    init() {
        var ends: [Int32] = [-1, -1]
        _ = Glibc.pipe(&ends)
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)  // A signal handler must not wait.
        }
        pipe = (ends[0], ends[1])
        bell = ends[1]
    }

    deinit {
        Glibc.close(pipe.read)
        Glibc.close(pipe.write)
    }

    /// - Parameter news: Called on the reader's thread.
    func start(_ input: Int32, news: @escaping @Sendable (News) -> Void) {
        DispatchQueue(label: "oracy.keys").async { [self] in read(input, news) }
    }

    /// Stops the reader. May be called twice. A read in progress may still report news once.
    func stop() {
        guard !isStopped.exchange(true, ordering: .relaxed) else { return }
        var byte = Self.stopByte
        _ = write(pipe.write, &byte, 1)
    }

    private func read(_ input: Int32, _ news: (News) -> Void) {
        var input = input
        var quietIn: Int32 = -1  // In milliseconds; -1 if quiet has been reported.
        var buffer = [UInt8](repeating: 0, count: 1024)
        while true {
            // `poll` ignores a negative descriptor.
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
