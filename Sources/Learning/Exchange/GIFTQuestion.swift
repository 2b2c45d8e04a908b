import Papers

/// One question of a GIFT file.
struct GIFTQuestion {
    let read: ReadQuestion

    /// Reads a question.
    ///
    /// - Throws: a mistake that names an unsupported feature or a misplaced mark.
    init(_ whole: GIFTPiece, line: Int) throws(ImportMistake) {
        var rest = whole.trimmed
        var title: String?
        if rest.hasPrefix("::") {
            guard let parts = rest.dropFirst(2).parts(at: "::") else {
                throw ImportMistake(line: line, "question", rest.text, .marks, "close its title with ::")
            }
            (title, rest) = (parts.before.trimmed.text, parts.after.trimmed)
        }
        let parts = try Self.parts(of: rest, line)
        let (form, asked) = parts.prompt.form ?? (.moodle, parts.prompt)
        var answers = GIFTAnswers(parts.answers, form: form, line: line, about: asked.text)
        let key = try answers.key()
        var prompt = try asked.plain(as: form, line)
        if answers.isTrueOrFalse { prompt = TrueOrFalse.prompt(prompt) }
        read = ReadQuestion(
            line: line, title: title, prompt: prompt, key: key,
            explanation: try (parts.feedback ?? answers.feedback)?.words(form, line))
    }

    /// Splits a question into its parts.
    ///
    /// - Returns: the prompt, with a gap if the answers are in its middle, the text in the braces, and the general
    ///   feedback.
    private static func parts(
        of text: GIFTPiece, _ line: Int
    ) throws(ImportMistake) -> (prompt: GIFTPiece, answers: GIFTPiece, feedback: GIFTPiece?) {
        func marks(_ what: String) -> ImportMistake { ImportMistake(line: line, "question", text.text, .marks, what) }
        guard let begin = text.parts(at: "{") else {
            guard !text.contains("}") else { throw marks("open the braces that end here, or write \\}") }
            throw ImportMistake(
                line: line, "question", text.text, .notRead, "descriptions are not supported: remove it")
        }
        guard !begin.before.contains("}") else { throw marks("open the braces that end here, or write \\}") }
        guard let end = begin.after.parts(at: "}") else {
            throw marks("close the braces before the next empty line, or write \\{")
        }
        guard !end.before.contains("{"), !end.after.contains("{"), !end.after.contains("}") else {
            throw marks("keep one pair of braces: any other is written \\{ \\}")
        }
        let tail = end.after.trimmed
        let prompt = tail.isEmpty ? begin.before.trimmed : begin.before.joined(with: "___", end.after).trimmed
        guard !prompt.isEmpty else { throw ImportMistake(line: line, "question", "", .missing, "write the question") }
        guard let general = end.before.parts(at: "####", last: true) else { return (prompt, end.before.trimmed, nil) }
        let feedback = general.after.trimmed
        return (prompt, general.before.trimmed, feedback.isEmpty ? nil : feedback)
    }
}

/// The format of a GIFT text, as stated by a mark before it: `[html]`.
enum GIFTForm: String, CaseIterable {
    /// The default: plain words in which HTML tags count as tags.
    case moodle
    case plain, markdown, html
}

extension GIFTPiece {
    /// The format that the text states, and the text after the mark. Nil if the text has no mark.
    var form: (GIFTForm, GIFTPiece)? {
        guard first == "[" else { return nil }
        return GIFTForm.allCases.first { hasPrefix("[\($0)]") }.map { ($0, dropFirst($0.rawValue.count + 2).trimmed) }
    }

    /// Returns the text as plain words.
    ///
    /// - Parameter form: the question's format, which applies unless the text states its own.
    func words(_ form: GIFTForm, _ line: Int) throws(ImportMistake) -> String {
        let (form, piece) = self.form ?? (form, self)
        return try piece.plain(as: form, line)
    }

    /// Returns the text as plain words in the given format. The text has no mark.
    func plain(as form: GIFTForm, _ line: Int) throws(ImportMistake) -> String {
        switch form {
        case .plain, .markdown: return text
        case .moodle, .html: return try HTMLWords.plain(text, line, decodes: true)
        }
    }
}
