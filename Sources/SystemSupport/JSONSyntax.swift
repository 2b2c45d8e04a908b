/// Finds the place at which a text stops being JSON. Foundation on Linux doesn't report it.
///
/// It walks through the grammar of RFC 8259 once and stores nothing.
package struct JSONSyntax {
    private let bytes: [UInt8]
    private var place = 0

    private struct Mistake: Error {}

    /// - Returns: "line 3, column 9", both from 1 and in bytes; nil if the text is JSON.
    package static func mistake(in bytes: [UInt8]) -> String? {
        place(ofMistakeIn: bytes).map { "line \($0.line), column \($0.column)" }
    }

    /// Returns the line and column of the mistake as numbers; nil if the text is JSON.
    package static func place(ofMistakeIn bytes: [UInt8]) -> (line: Int, column: Int)? {
        var syntax = JSONSyntax(bytes: bytes)
        do {
            try syntax.value(depth: 0)
            syntax.skipSpace()
            if syntax.place == bytes.count { return nil }
        } catch {}
        let before = bytes[..<min(syntax.place, bytes.count)]
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let column = before.reversed().prefix { $0 != UInt8(ascii: "\n") }.count + 1
        return (line, column)
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func skipSpace() {
        while let byte = next, [0x20, 0x09, 0x0a, 0x0d].contains(byte) { place += 1 }
    }

    private mutating func take(_ text: StaticString) throws(Mistake) {
        for byte in UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount) {
            guard next == byte else { throw Mistake() }
            place += 1
        }
    }

    private mutating func value(depth: Int) throws(Mistake) {
        guard depth < 512 else { throw Mistake() }
        skipSpace()
        switch next {
        case UInt8(ascii: "{"):
            try list(depth, until: UInt8(ascii: "}")) { (syntax: inout Self) throws(Mistake) in
                syntax.skipSpace()
                try syntax.string()
                syntax.skipSpace()
                try syntax.take(":")
            }
        case UInt8(ascii: "["): try list(depth, until: UInt8(ascii: "]")) { (_: inout Self) throws(Mistake) in }
        case UInt8(ascii: "\""): try string()
        case UInt8(ascii: "t"): try take("true")
        case UInt8(ascii: "f"): try take("false")
        case UInt8(ascii: "n"): try take("null")
        default: try number()
        }
    }

    /// Reads an object or a list: values, each preceded by its key if any, and separated by commas.
    private mutating func list(
        _ depth: Int,
        until end: UInt8,
        key: (inout Self) throws(Mistake) -> Void
    ) throws(Mistake) {
        place += 1
        skipSpace()
        if next == end {
            place += 1
            return
        }
        while true {
            try key(&self)
            try value(depth: depth + 1)
            skipSpace()
            if next == end {
                place += 1
                return
            }
            try take(",")
        }
    }

    private mutating func string() throws(Mistake) {
        try take("\"")
        while let byte = next, byte != UInt8(ascii: "\"") {
            guard byte >= 0x20 else { throw Mistake() }
            place += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        try take("\"")
    }

    private mutating func number() throws(Mistake) {
        if next == UInt8(ascii: "-") { place += 1 }
        try digits()
        if next == UInt8(ascii: ".") {
            place += 1
            try digits()
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            place += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { place += 1 }
            try digits()
        }
    }

    private mutating func digits() throws(Mistake) {
        let start = place
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { place += 1 }
        guard place > start else { throw Mistake() }
    }
}
