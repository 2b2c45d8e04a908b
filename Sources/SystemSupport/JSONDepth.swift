package import FoundationEssentials

extension JSONDecoder {
    /// Decodes what came from outside: a request, a token, another server's answer, a disk.
    ///
    /// Foundation's scanner ends the process where the 513th list or object opens with the last byte (swift-foundation 6.3:
    /// `JSONScanner.scanArray` says where it is too deep by a place beyond the end). So what is nested too deep never reaches it.
    ///
    /// - Throws: as `decode`; `DecodingError.dataCorrupted` for what is nested too deep.
    package func decodeForeign<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        guard !data.withUnsafeBytes({ JSONDepth.isTooDeep($0) }) else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "is nested too deep"))
        }
        return try decode(type, from: data)
    }
}

/// How deep lists and objects lie in one another.
package enum JSONDepth {
    /// An exam as it is kept has ten.
    private static let most = 100

    /// Whatever the bytes are: of what is no JSON only the brackets are counted.
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
