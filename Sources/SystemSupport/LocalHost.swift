/// The names of this machine in addresses. Data sent to them does not go over a network.
package enum LocalHost {
    /// Returns whether a host names this machine: `localhost`, `127.0.0.1` or another address of 127/8, `::1`, `[::1]`.
    package static func isThisMachine(_ host: String) -> Bool {
        let host = host.lowercased()
        if ["localhost", "[::1]", "::1"].contains(host) { return true }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
        return numbers.count == 4 && numbers[0] == "127" && numbers.allSatisfy { UInt8($0) != nil }
    }
}
