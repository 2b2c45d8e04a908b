/// A file's code, without comments and the words in its string literals. Interpolated code is kept.
///
/// Only knows the syntax that this package uses: no raw strings, and no regular expressions with a quotation mark.
struct SwiftCode {
    /// The code line by line, numbered as in the file.
    var lines: [String] = [""]

    private enum Place: Equatable {
        case code(openParentheses: Int)
        case literal(isMultiline: Bool)
    }

    private var places = [Place.code(openParentheses: 0)]
    private var rest: Substring

    init(of text: String) {
        rest = text[...]
        while !rest.isEmpty {
            switch places.last! {
            case .code(let open): readCode(open)
            case .literal(let isMultiline): readLiteral(isMultiline)
            }
        }
    }

    /// Returns the words of a line: names, with each part of `a.b` by itself.
    static func words(of line: String) -> [String] {
        line.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
    }

    private mutating func readCode(_ open: Int) {
        if rest.hasPrefix("//") {
            rest = rest.drop { !$0.isNewline }
        } else if rest.hasPrefix("/*") {
            skipComment()
        } else if rest.hasPrefix("\"\"\"") {
            rest.removeFirst(3)
            places.append(.literal(isMultiline: true))
        } else {
            let character = rest.removeFirst()
            switch character {
            case "\"": places.append(.literal(isMultiline: false))
            case ")" where open == 0 && places.count > 1: places.removeLast()
            case "(", ")":
                places[places.count - 1] = .code(openParentheses: open + (character == "(" ? 1 : -1))
                lines[lines.count - 1].append(character)
            default: keep(character)
            }
        }
    }

    private mutating func readLiteral(_ isMultiline: Bool) {
        if rest.hasPrefix(isMultiline ? "\"\"\"" : "\"") {
            rest.removeFirst(isMultiline ? 3 : 1)
            places.removeLast()
        } else if rest.hasPrefix("\\(") {
            rest.removeFirst(2)
            lines[lines.count - 1].append(" ")
            places.append(.code(openParentheses: 0))
        } else {
            var character = rest.removeFirst()
            if character == "\\" { character = rest.popFirst() ?? character }
            if character.isNewline { lines.append("") }
        }
    }

    private mutating func skipComment() {
        var depth = 0
        repeat {
            if rest.hasPrefix("/*") { depth += 1 }
            if rest.hasPrefix("*/") { depth -= 1 }
            if rest.removeFirst().isNewline { lines.append("") }
        } while depth > 0 && !rest.isEmpty
        if !rest.isEmpty { rest.removeFirst() }
    }

    private mutating func keep(_ character: Character) {
        if character.isNewline { lines.append("") } else { lines[lines.count - 1].append(character) }
    }
}
