/// An answer as it comes in: lines of its head, then pieces of its body.
struct HTTPAnswer {
    private(set) var headers: [String: String] = [:]
    private(set) var body: [UInt8] = []
    /// All that came, to know that something did.
    private(set) var byteCount = 0
    private(set) var isTooLong = false
    /// Whether its head came to its end. libcurl takes one for whole that the connection's end cut off.
    private(set) var hasWholeHead = false

    var longestBody = 0
    private var headByteCount = 0
    /// nginx and Apache allow 8 KiB a line and some hundred lines; curl 8 ends at 300 KiB for all.
    private static let longestHead = 300 * 1024

    /// False where it is longer than allowed.
    mutating func takeHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
        byteCount += bytes.count
        headByteCount += bytes.count
        guard headByteCount <= Self.longestHead else {
            isTooLong = true
            return false
        }
        let line = String(decoding: bytes, as: UTF8.self)
        // Another answer begins: what came before was 100 (Continue) or its like.
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

    /// False where it is longer than allowed.
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
