import Papers

/// Reads the Aiken format: a question on one line, its options with letters, and the letter of the right one.
///
/// ```
/// What do you cut bread with?
/// A. A fork
/// B. A knife
/// ANSWER: B
/// ```
///
/// Letters may be in lower case and followed by a bracket. Empty lines are skipped.
struct AikenReader {
    static let contract = ImportContract(
        understood: ["A. option", "A) option", "ANSWER: letter"], harmless: ["empty lines": "only separate questions"],
        refused: ["several letters": "several right options are not supported: leave only one right option"])

    private(set) var questions: [ReadQuestion] = []
    private(set) var unread: [UnreadQuestion] = []
    /// The mistakes of the question that is being read.
    private var own: [ImportMistake] = []

    var mistakes: [ImportMistake] { unread.mistakes() }

    private var line = 0
    private var prompt: [String] = []
    private var options: [String] = []

    init(_ text: String) {
        let text = text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...]
        for (number, line) in text.importLines.enumerated() {
            let words = line.trimmed
            if !words.isEmpty { read(words, number + 1) }
        }
        if !prompt.isEmpty || !options.isEmpty {
            complain(line, .missing, "end it with ANSWER: and a letter")
            close(correct: nil)
        }
    }

    /// Returns the letter after `ANSWER:` as written. Nil if the line does not begin with that word.
    static func answer(in line: Substring) -> Substring? {
        let word = "answer"
        guard line.prefix(word.count).lowercased() == word else { return nil }
        let rest = line.dropFirst(word.count).trimmed
        return rest.first == ":" ? rest.dropFirst().trimmed : nil
    }

    private mutating func read(_ words: Substring, _ number: Int) {
        if prompt.isEmpty && options.isEmpty { line = number }
        if let letter = Self.answer(in: words) {
            end(letter, number)
        } else if let option = option(words), option.letter == Self.letter(options.count), !prompt.isEmpty {
            options.append(String(option.text))
        } else if options.isEmpty {
            prompt.append(String(words))
        } else if let option = option(words) {
            complain(
                number, .marks, "\(option.letter) is out of order: this option should be \(Self.letter(options.count))")
            options.append(String(option.text))
        } else {
            complain(number, .marks, "write an option on one line, and ANSWER: and a letter before the next question")
            close(correct: nil)
            (prompt, line) = ([String(words)], number)
        }
    }

    private mutating func end(_ letter: Substring, _ number: Int) {
        let place = options.indices.first { letter.uppercased() == String(Self.letter($0)) }
        if prompt.isEmpty {
            complain(number, .missing, "write the question before its answer")
        } else if options.count < 2 {
            complain(line, .key, "give it at least two options, each on a line that begins with a letter: A. A fork")
        } else if place == nil {
            own.append(
                ImportMistake(
                    line: number, "answer", String(letter), .key,
                    "use one of the letters of its options, A to \(Self.letter(options.count - 1))"))
        }
        close(correct: place)
    }

    /// Ends a question, and keeps it with its mistakes, if it has any.
    private mutating func close(correct: Int?) {
        let question = ReadQuestion(
            line: line, prompt: prompt.joined(separator: " "),
            key: .multipleChoice(.init(options: options, correct: correct ?? -1)))
        if own.isEmpty {
            questions.append(question)
        } else {
            unread.append(UnreadQuestion(line: line, read: question, mistakes: own))
        }
        (prompt, options, own) = ([], [], [])
    }

    /// Returns the letter and the text of an option. An option is a letter, a full stop or a bracket, and text after
    /// it.
    private func option(_ words: Substring) -> (letter: Character, text: Substring)? {
        guard let letter = words.first?.uppercased().first, letter.isASCII, letter.isLetter,
            let mark = words.dropFirst().first, ".)".contains(mark)
        else { return nil }
        let text = words.dropFirst(2)
        return text.first?.isWhitespace == true ? (letter, text.trimmed) : nil
    }

    private static func letter(_ place: Int) -> Character { Character(Unicode.Scalar(UInt8(65 + min(place, 25)))) }

    private mutating func complain(_ line: Int, _ code: ImportMistake.QuestionCode, _ what: String) {
        own.append(ImportMistake(line: line, "question", prompt.joined(separator: " "), code, what))
    }
}
