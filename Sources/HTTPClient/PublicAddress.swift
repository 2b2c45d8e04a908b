import CCurl
import Glibc

/// Decides whether an address belongs to the public Internet. A URL from another party must not lead into this
/// machine's own network.
///
/// Uses IANA's registries of special-purpose addresses (RFC 6890 and later additions), as of 2026.
enum PublicAddress {
    static func isOne(_ address: curl_sockaddr) -> Bool {
        var address = address
        return withUnsafePointer(to: &address.addr) { pointer in
            switch address.family {
            case AF_INET:
                let own = UnsafeRawPointer(pointer).loadUnaligned(as: sockaddr_in.self)
                return isOne(v4: UInt32(bigEndian: own.sin_addr.s_addr))
            case AF_INET6:
                // An IPv6 address is longer than `sockaddr`. libcurl reserves room for the rest behind it.
                let own = UnsafeRawPointer(pointer).loadUnaligned(as: sockaddr_in6.self)
                return isOne(v6: withUnsafeBytes(of: own.sin6_addr) { Array($0) })
            default: return false
            }
        }
    }

    /// - Parameter number: The address with the first of its four numbers in the highest byte.
    static func isOne(v4 number: UInt32) -> Bool {
        !special.contains { number >> (32 - $0.bits) == $0.beginning >> (32 - $0.bits) }
    }

    private static let special: [(beginning: UInt32, bits: UInt32)] = [
        (0x0000_0000, 8),  // 0.0.0.0: this network
        (0x0A00_0000, 8),  // 10.0.0.0
        (0x6440_0000, 10),  // 100.64.0.0: carrier-grade NAT
        (0x7F00_0000, 8),  // 127.0.0.0: this machine
        (0xA9FE_0000, 16),  // 169.254.0.0: link-local, and the metadata services of clouds
        (0xAC10_0000, 12),  // 172.16.0.0
        (0xC000_0000, 24),  // 192.0.0.0: protocol assignments
        (0xC000_0200, 24),  // 192.0.2.0: documentation
        (0xC058_6300, 24),  // 192.88.99.0: 6to4 relays
        (0xC0A8_0000, 16),  // 192.168.0.0
        (0xC612_0000, 15),  // 198.18.0.0: benchmarking
        (0xC633_6400, 24),  // 198.51.100.0: documentation
        (0xCB00_7100, 24),  // 203.0.113.0: documentation
        (0xE000_0000, 4),  // 224.0.0.0: multicast
        (0xF000_0000, 4),  // 240.0.0.0: reserved, and broadcast
    ]

    /// - Parameter bytes: The sixteen bytes of the address.
    static func isOne(v6 bytes: [UInt8]) -> Bool {
        func begins(_ prefix: UInt8...) -> Bool { bytes.starts(with: prefix) }
        func v4(at place: Int) -> UInt32 { bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) } }
        // IPv4 addresses inside IPv6: mapped, translated (RFC 6052), 6to4.
        if bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF { return isOne(v4: v4(at: 12)) }
        if begins(0x00, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0) { return isOne(v4: v4(at: 12)) }
        if begins(0x20, 0x02) { return isOne(v4: v4(at: 2)) }
        // Only 2000::/3 is assigned. Teredo, protocol assignments (2001::/23) and documentation are excluded.
        guard bytes[0] & 0xE0 == 0x20 else { return false }
        if begins(0x20, 0x01), bytes[2] < 2 { return false }
        return !begins(0x20, 0x01, 0x0D, 0xB8) && !(bytes[0] == 0x3F && bytes[1] == 0xFF && bytes[2] & 0xF0 == 0)
    }
}
