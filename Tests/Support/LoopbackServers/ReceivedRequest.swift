public import HTTPClient

// Parts of a request for servers.
extension HTTPRequest {
    /// Returns the value of the first header with this name, in any case.
    public func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// The part from the first slash after the host to the query, as sent, without decoding percent signs.
    public var path: String { String(target.prefix { $0 != "?" }) }

    /// The part after the question mark as sent, if any.
    public var query: String? {
        target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) }
    }

    /// The bytes of a body in memory; empty for a file.
    public var bytes: [UInt8] {
        if case .bytes(let bytes) = body { bytes } else { [] }
    }

    private var target: Substring {
        let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        return parts.count == 4 ? "/" + parts[3] : "/"
    }
}
