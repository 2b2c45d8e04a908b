import CCurl
import Glibc

/// libcurl's open sockets. With them, the kernel can be asked how many bytes of libcurl's it still holds.
///
/// The kernel accepts megabytes at once. A slow connection may take minutes to send them, while libcurl sees no change.
/// libcurl doesn't reveal the socket of an exchange, only its ports. Used only on the client's thread.
final class Sockets {
    private var open: Set<Int32> = []

    /// Makes libcurl open and close an exchange's sockets through this object. It may close them long after the
    /// exchange.
    ///
    /// - Parameter door: The exchange's own door, which lives as long as the exchange.
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
            // A child process must not keep the connection open.
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

    /// Opens or refuses the connections of an exchange.
    final class Door {
        fileprivate let sockets: Sockets
        let isPublicOnly: Bool
        fileprivate(set) var hasRefused = false

        init(_ sockets: Sockets, isPublicOnly: Bool) {
            self.sockets = sockets
            self.isPublicOnly = isPublicOnly
        }
    }

    /// Returns the socket between these ports; nil if it is closed or unknown.
    func socket(from localPort: Int32, to port: Int32) -> Int32? {
        open.first { Self.port(of: $0, getsockname) == localPort && Self.port(of: $0, getpeername) == port }
    }

    /// Returns the bytes that are not sent or not acknowledged; 0 if the socket is closed or unknown.
    func queuedBytes(of socket: Int32) -> Int {
        var count: Int32 = 0
        return open.contains(socket) && ioctl(socket, UInt(TIOCOUTQ), &count) == 0 ? Int(count) : 0
    }

    private static func port(
        of socket: Int32, _ ask: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> Int32 {
        // Both address families have the port at the same place.
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
