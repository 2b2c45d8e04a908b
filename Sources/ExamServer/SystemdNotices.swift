import Glibc
import NIOCore
import NIOPosix
import ServiceLifecycle
import SystemSupport

/// What systemd is told of a server that it started (sd_notify(3)): that it serves, that it is alive, that it stops. Elsewhere nothing is told.
struct SystemdNotices: Service {
    /// Where a datagram with each is sent: a socket's path, or with `@` before it an abstract name. nil: nobody asks.
    var socket: String?
    /// How often systemd must hear that the server is alive, or it starts it anew; nil: it does not ask.
    var watchdog: Duration?
    /// Whose loops must all answer before it is said.
    var loops: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton

    func run() async throws {
        await cancelWhenGracefulShutdown {
            if let watchdog {
                // Half the time, as sd_watchdog_enabled(3) advises.
                while (try? await Task.sleep(for: watchdog / 2)) != nil {
                    for loop in loops.makeIterator() { try? await loop.submit {}.get() }
                    tell("WATCHDOG=1")
                }
            } else {
                try? await gracefulShutdown()
            }
        }
        tell("STOPPING=1")
    }

    /// Sends one assignment; nobody there is no reason to stop serving.
    func tell(_ state: String) {
        guard let socket, var address = Self.address(of: socket) else { return }
        let sender = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard sender >= 0 else { return }
        defer { close(sender) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + socket.utf8.count)
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = sendto(sender, state, state.utf8.count, Int32(MSG_NOSIGNAL), $0, length)
            }
        }
    }

    /// nil where it is neither an absolute path nor an abstract name, or too long (unix(7)).
    private static func address(of socket: String) -> sockaddr_un? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard socket.hasPrefix("/") || socket.hasPrefix("@"),
            socket.utf8.count < MemoryLayout.size(ofValue: address.sun_path)
        else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) {
            $0.copyBytes(from: socket.utf8)
            if $0[0] == UInt8(ascii: "@") { $0[0] = 0 }
        }
        return address
    }
}

extension SystemdNotices {
    /// As the environment asks: `NOTIFY_SOCKET`, and `WATCHDOG_USEC` where `WATCHDOG_PID` is this process or not set.
    static var ofEnvironment: SystemdNotices {
        let isMine = UserFolders.environment("WATCHDOG_PID").map { Int32($0) == getpid() } ?? true
        let microseconds = isMine ? UserFolders.environment("WATCHDOG_USEC").flatMap { Int64($0) } : nil
        return SystemdNotices(
            socket: UserFolders.environment("NOTIFY_SOCKET"),
            watchdog: microseconds.flatMap { $0 > 0 ? .microseconds($0) : nil })
    }
}
