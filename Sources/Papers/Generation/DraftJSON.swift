import SystemSupport

/// The JSON object in a model's answer, which may have prose around it.
package enum DraftJSON: Equatable {
    /// The most bytes of an answer: ten times the longest item.
    static let longest = 65_536

    case object([UInt8])
    /// The object begins and does not end.
    case cut
    case none

    /// Finds the longest complete object. Brackets within strings do not count.
    init(in text: String) {
        let bytes = Array(text.utf8)
        var best: ArraySlice<UInt8>?
        var isCut = false
        var place = 0
        while let start = bytes[place...].firstIndex(of: UInt8(ascii: "{")) {
            guard let end = Self.end(of: bytes[start...]) else {
                isCut = true
                break
            }
            let object = bytes[start...end]
            if object.count > best?.count ?? 0, JSONSyntax.mistake(in: Array(object)) == nil { best = object }
            place = end + 1
        }
        // If an example in prose comes first, the real object may be the one that is cut off.
        if let best, !isCut || best.count > bytes.count / 2 {
            self = .object(Array(best))
        } else {
            self = isCut ? .cut : .none
        }
    }

    /// Returns the index of the bracket that closes the first one.
    private static func end(of bytes: ArraySlice<UInt8>) -> Int? {
        var (depth, isText, isEscaped) = (0, false, false)
        for (place, byte) in zip(bytes.indices, bytes) {
            if isEscaped {
                isEscaped = false
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isText.toggle()
            case UInt8(ascii: "\\"): isEscaped = isText
            case UInt8(ascii: "{") where !isText: depth += 1
            case UInt8(ascii: "}") where !isText:
                depth -= 1
                if depth == 0 { return place }
            default: break
            }
        }
        return nil
    }

    /// Decodes the requested fields. Others are ignored.
    package static func decode<Fields: Decodable>(_ type: Fields.Type, from text: String) -> Result<Fields, DraftFault>
    {
        switch DraftJSON(in: text) {
        case .none: return .failure(.json, "answer", "has no JSON object")
        case .cut: return .failure(.cut, "answer", "ends in the middle of its object")
        case .object(let bytes):
            do {
                return .success(try JSONFile.decodeLine(type, from: bytes))
            } catch {
                return .failure(.shape, (error as? DecodingError)?.field ?? "answer", "is missing, or of another type")
            }
        }
    }
}

extension Result where Failure == DraftFault {
    package static func failure(_ rule: DraftRule, _ field: String, _ what: String) -> Self {
        .failure(DraftFault(finding: rule.finding(field, what)))
    }
}

extension DecodingError {
    /// The field with the mistake: `questions[2].bloom`.
    fileprivate var field: String? {
        let path: [any CodingKey]
        switch self {
        case .keyNotFound(let key, let context): path = context.codingPath + [key]
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            path = context.codingPath
        @unknown default: return nil
        }
        return path.isEmpty
            ? nil
            : path.reduce("") { field, key in
                if let index = key.intValue { return "\(field)[\(index)]" }
                return field.isEmpty ? key.stringValue : "\(field).\(key.stringValue)"
            }
    }
}
