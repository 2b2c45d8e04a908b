import Papers
import SystemSupport

/// One question of a Moodle XML file.
struct MoodleQuestion {
    private let node: XMLNode
    private let type: String

    /// - Throws: a mistake that names the type if Oracy has no such questions, or otherwise the first part that is
    ///   neither understood nor harmless.
    init(_ node: XMLNode) throws(ImportMistake) {
        (self.node, type) = (node, node.attributes["type"] ?? "")
        if let remedy = MoodleContract.contract.remedy("type=\"\(type)\"") {
            throw ImportMistake(line: node.line, "<question type>", type, .notRead, remedy)
        }
        try MoodleContract.check(node, type: type)
        if let image = node.children.first(where: { $0.name.hasPrefix("image") && !$0.text.isEmpty }) {
            throw image.wrong(.notRead, "pictures are not supported: describe them in words")
        }
        if let hidden = node.children("hidden").first, try hidden.flag() {
            throw hidden.wrong(.notRead, "the question is not in use any more: write 0 to take it")
        }
    }

    func read(topic: String?) throws(ImportMistake) -> ReadQuestion {
        guard let asked = node.children("questiontext").first else {
            throw node.wrong(.missing, "has no <questiontext>")
        }
        let text = MoodleText(asked)
        let prompt = try text.words(of: asked)
        guard !prompt.isEmpty else { throw asked.wrong(.missing, "write the question") }
        let right = try MoodleKey(node, type: type, text).right()
        var explanation: String?
        for told in [node.children("generalfeedback").first, right.feedback].compactMap(\.self)
        where explanation == nil {
            let words = try text.words(of: told)
            if !words.isEmpty { explanation = words }
        }
        let name = node.children("name").first?.text ?? ""
        var read = ReadQuestion(
            line: node.line, id: node.children("idnumber").first?.text.questionID, title: name.isEmpty ? nil : name,
            topic: topic, prompt: type == "truefalse" ? TrueOrFalse.prompt(prompt) : prompt, key: right.key,
            explanation: explanation)
        for tag in node.children("tags").flatMap(\.children) { try read.add(tag: tag.text) }
        return read
    }
}

/// The words of a Moodle question's texts, which are HTML or plain text.
struct MoodleText {
    /// The format of texts that state none.
    private let usual: String

    init(_ asked: XMLNode) { usual = asked.attributes["format"] ?? "html" }

    /// Returns the words of an element with `<text>`, on one line.
    func words(of node: XMLNode) throws(ImportMistake) -> String {
        guard let text = node.children("text").first else { return "" }
        switch node.attributes["format"] ?? usual {
        case "html", "moodle_auto_format": return try HTMLWords.plain(text.text, text.line, decodes: true).onOneLine
        case "plain_text": return text.text
        case "markdown":
            if let mark = text.text.first(where: Self.marks.contains) {
                throw text.wrong(.notRead, "\(mark) of Markdown is not supported: write plain words")
            }
            return text.text
        case let other:
            throw ImportMistake(
                line: node.line, "<\(node.name) format>", other, .notRead,
                "this format is not supported: use html or plain_text")
        }
    }

    /// The characters that may be more than text in Markdown.
    private static let marks: Set<Character> = ["*", "_", "`", "#", "[", "<", "\\", "&", "|", "~", ">", "$"]
}

extension XMLNode {
    /// Returns whether the text is `true` or `1`.
    ///
    /// - Throws: `wrong-kind` for any text except these, `false`, `0` and an empty one.
    func flag() throws(ImportMistake) -> Bool {
        switch text.lowercased() {
        case "1", "true": return true
        case "0", "false", "": return false
        default: throw ImportMistake(line: line, "<\(name)>", text, .wrongKind, "write 1 or 0")
        }
    }

    /// Returns the text as a decimal number.
    func decimal() throws(ImportMistake) -> Double {
        if let number = Double(decimal: text) { return number }
        throw ImportMistake(line: line, "<\(name)>", text, .number, "write a number, such as 3 or 0.25")
    }
}

extension Double {
    /// Reads digits with an optional sign, point and exponent. Nil for words such as `nan` and hexadecimal numbers.
    init?(decimal text: String) {
        guard text.allSatisfy({ $0.isASCII && ($0.isNumber || "+-.eE".contains($0)) }), let number = Double(text),
            number.isFinite
        else { return nil }
        self = number
    }
}
