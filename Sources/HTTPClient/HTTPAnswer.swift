/// An answer as it arrives: the lines of its head, then the pieces of its body.
struct HTTPAnswer {
    private(set) var headers: [String: String] = [:]
    private(set) var body: [UInt8] = []
    /// The number of all bytes that arrived, to detect progress.
    private(set) var byteCount = 0
    private(set) var isTooLong = false
    /// Whether its head is complete. libcurl accepts a head that the end of the connection cut off.
    private(set) var hasWholeHead = false

    var longestBody = 0
    private var headByteCount = 0
    /// nginx and Apache allow 8 KiB per line and about a hundred lines. curl 8 stops at 300 KiB in total.
    private static let longestHead = 300 * 1024

    /// Adds a line of the head. Returns false if the head is too long.
    mutating func takeHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
        byteCount += bytes.count
        headByteCount += bytes.count
        guard headByteCount <= Self.longestHead else {
            isTooLong = true
            return false
        }
        let line = String(decoding: bytes, as: UTF8.self)
        // The next answer begins. The one before was 100 (Continue) or similar.
        if line.hasPrefix("HTTP/") {
            headers = [:]
            hasWholeHead = false
        } else if line.allSatisfy(\.isNewline) {
            hasWholeHead = true
        } else if let colon = line.firstIndex(of: ":") {
            let value = line[line.index(after: colon)...]
            headers[line[..<colon].lowercased()] = String(value.trimmingSpace)
        }
        return true
    }

    /// Adds a piece of the body. Returns false if the body is too long.
    mutating func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        byteCount += bytes.count
        guard body.count + bytes.count <= longestBody else {
            isTooLong = true
            return false
        }
        body.append(contentsOf: bytes)
        return true
    }
}

extension Substring {
    fileprivate var trimmingSpace: Substring {
        var text = self
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
