import SystemSupport

/// The JSON object in what a model wrote: prose may stand around it.
enum DraftJSON: Equatable {
    case object([UInt8])
    /// It begins and does not end.
    case cut
    case none

    /// The longest whole object; what stands in quotes opens and closes nothing.
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
        // Behind an example in prose the true one may be cut.
        if let best, !isCut || best.count > bytes.count / 2 {
            self = .object(Array(best))
        } else {
            self = isCut ? .cut : .none
        }
    }

    /// Where the bracket closes that the bytes begin with.
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
}
