/// A key that the candidate pressed.
enum Key: Equatable, Sendable {
    /// One scalar of text. A combining one joins the character before it.
    case text(Character)
    case enter
    case tab
    case backspace
    case escape
    /// Ctrl with this lower-case letter.
    case control(Character)
    /// Text from the clipboard. It never counts as presses of the keys in it.
    case pasted(String)
    /// Arrows, function keys, Alt: an exam doesn't use them.
    case other
}

/// Converts a terminal's bytes to keys. A read may split escape sequences and UTF-8 anywhere.
///
/// ```
///  plain ──ESC──▶ escape ──[──▶ sequence ──final──▶ plain       (200~ begins a paste, which ends with ESC[201~)
///                   │ ├───O──▶ singleShift ──any──▶ plain
///                   │ └─]PX^_▶ string ──BEL, ESC \──▶ plain     (a terminal's answers to queries)
///                   └──time──▶ Key.escape
/// ```
struct Keyboard: Sendable {
    private enum State: Equatable {
        case plain
        case escape
        case sequence(parameters: [UInt8])
        case singleShift
        case string(escaped: Bool)
        case paste
    }

    /// The limit for the length of pasted text, in bytes. The rest is dropped.
    private static let longestPaste = 8192
    private static let pasteEnd = Array("\u{1B}[201~".utf8)

    private var state = State.plain
    /// The beginning of a scalar, or the paste so far.
    private var bytes: [UInt8] = []

    /// Whether the bytes so far may be a key or the beginning of another one. `timePassed` decides.
    var isUndecided: Bool { state != .plain && state != .paste }

    mutating func read(_ bytes: some Sequence<UInt8>) -> [Key] { bytes.flatMap { read($0) } }

    /// Takes note that nothing arrived for a while (50 ms are long for a terminal), so an escape was the Escape key.
    mutating func timePassed() -> [Key] {
        guard isUndecided else { return [] }
        let keys: [Key] = state == .escape ? [.escape] : []
        state = .plain
        return keys
    }

    private mutating func read(_ byte: UInt8) -> [Key] {
        switch (state, byte) {
        case (.plain, 0x1B):
            bytes = []
            state = .escape
            return []
        case (.plain, _):
            return plain(byte)
        case (.escape, 0x1B):
            return [.escape]
        case (.escape, _):
            return afterEscape(byte)
        case (.sequence(let parameters), 0x40...0x7E) where !(byte == UInt8(ascii: "[") && parameters.isEmpty):
            state = .plain
            guard byte == UInt8(ascii: "~"), parameters == Array("200".utf8) else { return [.other] }
            state = .paste
            return []
        case (.sequence(let parameters), 0x20...0x7E):
            // They include a second `[`, with which the Linux console begins its function keys.
            state = .sequence(parameters: parameters.prefix(31) + [byte])
            return []
        case (.sequence, _):
            state = .plain  // The bytes so far were not a sequence.
            return read(byte)
        case (.singleShift, _):
            state = .plain
            return [.other]
        case (.string, 0x07), (.string(escaped: true), UInt8(ascii: "\\")):
            state = .plain
            return []
        case (.string, _):
            state = .string(escaped: byte == 0x1B)
            return []
        case (.paste, _):
            return paste(byte)
        }
    }

    private mutating func afterEscape(_ byte: UInt8) -> [Key] {
        switch byte {
        case UInt8(ascii: "["): state = .sequence(parameters: [])
        case UInt8(ascii: "O"): state = .singleShift
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"):
            state = .string(escaped: false)
        default:
            state = .plain
            return [.other]  // Alt and a key.
        }
        return []
    }

    private mutating func plain(_ byte: UInt8) -> [Key] {
        if byte < 0x80 { bytes = [] }  // Drops a scalar that was cut off.
        switch byte {
        case 0x0D, 0x0A: return [.enter]
        case 0x09: return [.tab]
        case 0x08, 0x7F: return [.backspace]
        case 0x01...0x1A: return [.control(Character(Unicode.Scalar(byte + 0x60)))]
        case 0x00...0x1F: return [.other]
        case 0x20...0x7E: return [.text(Character(Unicode.Scalar(byte)))]
        case 0x80...0xBF where bytes.isEmpty: return []  // The end of a scalar without its beginning.
        default: break
        }
        if byte >= 0xC0 { bytes = [] }
        bytes.append(byte)
        guard let first = bytes.first, bytes.count >= (first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4) else { return [] }
        defer { bytes = [] }
        guard let text = String(validating: bytes, as: UTF8.self), let character = text.first else { return [] }
        // The C1 control characters are two bytes in UTF-8.
        return (0x80...0x9F).contains(character.unicodeScalars.first!.value) ? [.other] : [.text(character)]
    }

    private mutating func paste(_ byte: UInt8) -> [Key] {
        bytes.append(byte)
        if bytes.suffix(Self.pasteEnd.count) == Self.pasteEnd[...] {
            let text = String(decoding: bytes.dropLast(Self.pasteEnd.count).prefix(Self.longestPaste), as: UTF8.self)
            bytes = []
            state = .plain
            return [.pasted(text)]
        }
        // Keeps the end of a paste that is too long, because the end marker is there.
        if bytes.count > Self.longestPaste + 4096 {
            bytes.removeSubrange(Self.longestPaste..<(bytes.count - Self.pasteEnd.count))
        }
        return []
    }
}
