import Glibc
import NIOCore
import NIOPosix
import ServiceLifecycle
import SystemSupport

/// Notifies systemd (sd_notify(3)) that the server that it started is ready, alive or stopping. Does nothing without
/// systemd.
struct SystemdNotices: Service {
    /// The socket that receives the notifications: a path, or an abstract name after `@`. Nil if systemd does not ask
    /// for notifications.
    var socket: String?
    /// The interval within which systemd must be notified, or it restarts the server. Nil if there is no watchdog.
    var watchdog: Duration?
    /// The event loops that must all answer before the server counts as alive.
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

    /// Sends one assignment. The server continues even if the message cannot be delivered.
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

    /// Returns the socket's address. Nil if it is neither an absolute path nor an abstract name, or is too long
    /// (unix(7)).
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
    /// The notifications requested by the environment: `NOTIFY_SOCKET`, and `WATCHDOG_USEC` if `WATCHDOG_PID` is this
    /// process or not set.
    static var ofEnvironment: SystemdNotices {
        let isMine = UserFolders.environment("WATCHDOG_PID").map { Int32($0) == getpid() } ?? true
        let microseconds = isMine ? UserFolders.environment("WATCHDOG_USEC").flatMap { Int64($0) } : nil
        return SystemdNotices(
            socket: UserFolders.environment("NOTIFY_SOCKET"),
            watchdog: microseconds.flatMap { $0 > 0 ? .microseconds($0) : nil })
    }
}
