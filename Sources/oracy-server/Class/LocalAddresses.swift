import Glibc

/// The addresses at which other devices of the local network reach this computer.
enum LocalAddresses {
    /// Returns the IPv4 addresses of interfaces that are up, without this machine's own. The one that leads to other
    /// networks comes first.
    static func all() -> [String] {
        let (main, addresses) = (outgoing(), ofInterfaces())
        return addresses.filter { $0 == main } + addresses.filter { $0 != main }
    }

    /// Returns the address from which this computer would send to another network. Nothing is sent.
    private static func outgoing() -> String? {
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = 9
        // An address for documentation (RFC 5737), which no host has.
        inet_pton(AF_INET, "198.51.100.1", &address.sin_addr)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isFound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        return isFound ? text(of: address) : nil
    }

    private static func ofInterfaces() -> [String] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        var addresses: [String] = []
        var next = first
        while let one = next {
            next = one.pointee.ifa_next
            let flags = Int32(bitPattern: one.pointee.ifa_flags)
            guard flags & Int32(IFF_UP) != 0, flags & Int32(IFF_LOOPBACK) == 0,
                let address = one.pointee.ifa_addr, address.pointee.sa_family == sa_family_t(AF_INET)
            else { continue }
            address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { addresses.append(text(of: $0.pointee)) }
        }
        return addresses
    }

    private static func text(of address: sockaddr_in) -> String {
        var (bytes, text) = (address.sin_addr, [CChar](repeating: 0, count: Int(INET_ADDRSTRLEN)))
        inet_ntop(AF_INET, &bytes, &text, socklen_t(text.count))
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
