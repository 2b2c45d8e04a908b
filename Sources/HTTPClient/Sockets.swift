import CCurl
import Glibc

/// The sockets libcurl has open, to ask the kernel how much it still holds of what libcurl gave it.
///
/// The kernel takes megabytes at once, and a slow line may take minutes over them, in which libcurl sees nothing move.
/// libcurl does not say which socket an exchange has, but between which ports it goes. Used on the client's thread alone.
final class Sockets {
    private var open: Set<Int32> = []

    /// Has libcurl open and close an exchange's sockets through here. It may close them long after the exchange.
    ///
    /// - Parameter door: the exchange's own, which lives as long as it.
    func watch(_ easy: UnsafeMutableRawPointer, door: Door) {
        _ = oracy_curl_set_pointer(easy, CURLOPT_OPENSOCKETDATA, Unmanaged.passUnretained(door).toOpaque())
        _ = oracy_curl_set_pointer(easy, CURLOPT_CLOSESOCKETDATA, Unmanaged.passUnretained(self).toOpaque())
        _ = oracy_curl_set_open_function(easy) { context, _, address in
            let address = address!.pointee
            let door = Unmanaged<Door>.fromOpaque(context!).takeUnretainedValue()
            if door.isPublicOnly && !PublicAddress.isOne(address) {
                door.hasRefused = true
                return CURL_SOCKET_BAD
            }
            // A child of this program must not keep the connection open.
            let kind = address.socktype | Int32(SOCK_CLOEXEC.rawValue)
            let socket = Glibc.socket(address.family, kind, address.protocol)
            if socket >= 0 { door.sockets.open.insert(socket) }
            return socket
        }
        _ = oracy_curl_set_close_function(easy) { context, socket in
            Sockets.of(context).open.remove(socket)
            return close(socket)
        }
    }

    /// Where an exchange's connections come into being, or do not.
    final class Door {
        fileprivate let sockets: Sockets
        let isPublicOnly: Bool
        fileprivate(set) var hasRefused = false

        init(_ sockets: Sockets, isPublicOnly: Bool) {
            self.sockets = sockets
            self.isPublicOnly = isPublicOnly
        }
    }

    /// The one between these ports, nil where there is none (any more).
    func socket(from localPort: Int32, to port: Int32) -> Int32? {
        open.first { Self.port(of: $0, getsockname) == localPort && Self.port(of: $0, getpeername) == port }
    }

    /// What it has not got rid of yet: not sent, or not acknowledged. 0 where the socket is closed, or unknown.
    func queuedBytes(of socket: Int32) -> Int {
        var count: Int32 = 0
        return open.contains(socket) && ioctl(socket, UInt(TIOCOUTQ), &count) == 0 ? Int(count) : 0
    }

    private static func port(
        of socket: Int32, _ ask: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> Int32 {
        // The port is at the same place for both families.
        var address = sockaddr_in6()
        var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let code = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { ask(socket, $0, &size) }
        }
        return code == 0 ? Int32(in_port_t(bigEndian: address.sin6_port)) : -1
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> Sockets {
        Unmanaged<Sockets>.fromOpaque(context!).takeUnretainedValue()
    }
}
