import SystemSupport

/// Reads items from JSON: a single item or a list.
struct ItemFile {
    private(set) var items: [ImportedItem] = []
    private(set) var mistakes: [ImportMistake] = []

    init(_ bytes: [UInt8]) {
        if let place = JSONSyntax.mistake(in: bytes) {
            mistakes = [ImportMistake(line: 1, column: "file", .json, "is not JSON at \(place)")]
            return
        }
        for (line, element) in Self.elements(of: bytes) {
            do throws(Problem) {
                items.append(ImportedItem(item: try ItemBank.item(from: element, name: "item"), line: line))
            } catch {
                mistakes.append(ImportMistake(line: line, column: "item", .json, error.sentence))
            }
        }
        if items.isEmpty && mistakes.isEmpty {
            mistakes = [ImportMistake(line: 1, column: "file", .noRows, "add at least one item")]
        }
    }

    /// Returns whether a file is JSON rather than a table. No table header begins with a bracket.
    static func isJSON(_ bytes: [UInt8]) -> Bool {
        let first = bytes.first { !" \t\r\n".utf8.contains($0) }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }

    /// Returns the values of a list, or a single value, each with its first line. The text must be valid
    /// JSON.
    private static func elements(of bytes: [UInt8]) -> [(line: Int, bytes: [UInt8])] {
        var elements: [(line: Int, bytes: [UInt8])] = []
        let isList = bytes.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "[")
        var (depth, line, begin, beginLine) = (isList ? -1 : 0, 1, nil as Int?, 1)
        var (inText, escaped) = (false, false)
        for (place, byte) in bytes.enumerated() {
            if byte == UInt8(ascii: "\n") { line += 1 }
            if inText {
                inText = escaped || byte != UInt8(ascii: "\"")
                escaped = !escaped && byte == UInt8(ascii: "\\")
                continue
            }
            let isOutside = depth == 0 && (byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]") && isList)
            if isOutside, let from = begin {
                elements.append((beginLine, Array(bytes[from..<place])))
                begin = nil
            } else if depth == 0, !isOutside, begin == nil, !" \t\r\n".utf8.contains(byte) {
                (begin, beginLine) = (place, line)
            }
            switch byte {
            case UInt8(ascii: "\""): inText = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
        }
        if let from = begin { elements.append((beginLine, Array(bytes[from...]))) }
        return elements
    }
}
