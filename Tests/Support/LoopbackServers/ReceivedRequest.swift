public import HTTPClient

// What a server wants to know of a request.
extension HTTPRequest {
    /// Of the first header with this name (in any case).
    public func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// From the first slash behind the host to the query, as it was sent: percent signs are not decoded.
    public var path: String { String(target.prefix { $0 != "?" }) }

    /// Behind the question mark, as it was sent; nil where there is none.
    public var query: String? {
        target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) }
    }

    /// The body's bytes, in memory; of a file none.
    public var bytes: [UInt8] {
        if case .bytes(let bytes) = body { bytes } else { [] }
    }

    private var target: Substring {
        let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        return parts.count == 4 ? "/" + parts[3] : "/"
    }
}
