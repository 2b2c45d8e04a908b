package import FoundationEssentials

extension JSONDecoder {
    /// Decodes data from outside: a request, a token, another server's answer, a file.
    ///
    /// Checks the nesting first. Foundation's scanner crashes the process if the 513th list or object opens with the
    /// last byte (swift-foundation 6.3: `JSONScanner.scanArray` reports the excessive depth at a position beyond the
    /// end).
    ///
    /// - Throws: The same errors as `decode`; `DecodingError.dataCorrupted` for data that is nested too deeply.
    package func decodeForeign<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        guard !data.withUnsafeBytes({ JSONDepth.isTooDeep($0) }) else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "is nested too deep"))
        }
        return try decode(type, from: data)
    }
}

/// The nesting depth of lists and objects.
package enum JSONDepth {
    /// The limit. A stored exam has a depth of ten.
    private static let most = 100

    /// Returns whether brackets are nested too deeply. Other errors in the JSON are ignored.
    package static func isTooDeep(_ bytes: some Sequence<UInt8>) -> Bool {
        var (depth, isText, isEscaped) = (0, false, false)
        for byte in bytes {
            if isEscaped {
                isEscaped = false
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isText.toggle()
            case UInt8(ascii: "\\"): isEscaped = isText
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                if !isText { depth += 1 }
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                if !isText { depth -= 1 }
            default: break
            }
            if depth > most { return true }
        }
        return false
    }
}
