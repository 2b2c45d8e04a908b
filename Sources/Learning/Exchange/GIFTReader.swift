import ExamCore
import Papers

/// Reads Moodle's GIFT format: questions separated by empty lines, each with its answers in braces.
///
/// ```
/// $CATEGORY: $course$/top/kitchen
///
/// // [id:bread-1] [tag:difficulty-easy]
/// ::Bread::What do you cut bread with? {~a fork =a knife#It has an edge.}
/// ```
///
/// Question types that this program does not support, such as essays, are refused with their name.
struct GIFTReader {
    static let contract = ImportContract(
        understood: [
            "$CATEGORY", "::title::", "[html]", "[moodle]", "[plain]", "[markdown]", "one right option",
            "true or false",
            "several right options with equal points", "pairs", "short answer", "missing word", "number",
            "number with tolerance", "range of numbers", "####feedback",
            "[id:…]", "[tag:difficulty-…]", "[tag:bloom-…]", "[tag:unit-…]", "[tag:writer-…]",
        ],
        harmless: [
            "other tags": "teachers use them to find questions", "other comments": "are not shown",
            "feedback on wrong answers": "a question has one explanation", "answers for 0 %": "are wrong",
        ],
        refused: [
            "essay": "essays are not supported: remove it", "description": "descriptions are not supported: remove it",
            "several options with =": "mark options of which all are right with equal points: ~%50%",
            "different points": "different points for right options are not supported",
            "partial points": "partial points for one right answer are not supported: write 100 or 0",
            "several right numbers": "several right numbers are not supported: write one, with its tolerance",
            "* for any word": "write each right answer, or \\\\* for a star",
            "other HTML tags": "pictures, lists and formulas are not supported: write plain words",
        ])

    private(set) var questions: [ReadQuestion] = []
    private(set) var unread: [UnreadQuestion] = []
    private var topic: String?

    init(_ text: String) {
        let text = text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...]
        var block: [(line: Int, text: Substring)] = []
        for (number, line) in text.importLines.enumerated() {
            if line.allSatisfy(\.isWhitespace) {
                read(block)
                block = []
            } else {
                block.append((number + 1, line))
            }
        }
        read(block)
    }

    private mutating func read(_ block: [(line: Int, text: Substring)]) {
        var comments = GIFTComments()
        var lines: [Substring] = []
        var first = 0
        for (number, line) in block {
            let words = line.trimmed
            if words.hasPrefix("//") {
                comments.read(words)
            } else if lines.isEmpty, words.hasPrefix("$CATEGORY:") {
                topic = CategoryPath.topic(of: words.dropFirst(10).trimmed)
            } else {
                if lines.isEmpty { first = number }
                lines.append(line)
            }
        }
        guard !lines.isEmpty else { return }
        let text = lines.joined(separator: "\n")
        do throws(ImportMistake) {
            var question = try GIFTQuestion(GIFTPiece(text), line: first).read
            question.topic = topic
            try comments.add(to: &question)
            questions.append(question)
        } catch {
            unread.append(UnreadQuestion(line: first, original: text, mistakes: [error]))
        }
    }

    var mistakes: [ImportMistake] { unread.mistakes() }
}

/// The comments before a question, as Moodle writes them: `// [id:bread-1] [tag:difficulty-easy]`.
private struct GIFTComments {
    private var facts: [(name: String, value: String)] = []

    mutating func read(_ comment: Substring) {
        var rest = comment[...]
        while let begin = rest.firstIndex(of: "[") {
            rest = rest[begin...].dropFirst()
            var value = ""
            var isEscaped = false
            var end = rest.startIndex
            while end < rest.endIndex, isEscaped || rest[end] != "]" {
                isEscaped = !isEscaped && rest[end] == "\\"
                if !isEscaped { value.append(rest[end]) }
                end = rest.index(after: end)
            }
            guard end < rest.endIndex else { return }
            rest = rest[end...].dropFirst()
            let parts = value.split(separator: ":", maxSplits: 1)
            if parts.count == 2 { facts.append((String(parts[0]), String(parts[1]))) }
        }
    }

    /// Adds the facts in the comments to a question. Unknown tags are ignored: teachers use them to find questions.
    func add(to question: inout ReadQuestion) throws(ImportMistake) {
        for (name, value) in facts where name == "id" || name == "tag" {
            if name == "id" { question.id = question.id ?? value }
            if name == "tag" { try question.add(tag: value) }
        }
    }
}
