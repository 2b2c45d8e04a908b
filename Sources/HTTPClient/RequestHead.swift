extension HTTPRequest {
    /// Checks the method and the headers. libcurl sends a header unchanged, so a line break in one would begin another.
    ///
    /// - Throws: `unknown`. The sentence names no header.
    func check() throws(HTTPFailure) {
        let isToken = { (text: String) in !text.isEmpty && text.utf8.allSatisfy(Self.isTokenByte) }
        guard isToken(method) else { throw HTTPFailure(.unknown, "the request's method is not an HTTP method") }
        for header in headers {
            guard isToken(header.name), header.value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }) else {
                throw HTTPFailure(.unknown, "a header of the request is not valid")
            }
        }
    }

    /// Returns whether a byte may be part of a token (RFC 9110, 5.6.2).
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
