import Papers
public import SystemSupport

/// The questions and mistakes in a file. Each format has its own reader.
public struct QuestionFile: Sendable {
    /// The file's name in messages: its path.
    public let name: String
    /// The pack's own facts. Nil for other formats.
    public private(set) var pack: QuestionPack?
    public let format: PackFormat
    private(set) var questions: [ReadQuestion] = []
    /// The questions that were not read.
    private(set) var unread: [UnreadQuestion] = []
    /// The mistakes that concern no single question.
    private(set) var mistakes: [ImportMistake] = []
    /// The changes of the questions' typography.
    private(set) var typography = Typography()

    /// Reads a file of any format except those that are XML, which have an initializer of their own.
    public init(_ bytes: [UInt8], _ format: PackFormat, name: String) {
        (self.name, self.format) = (name, format)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            mistakes = [ImportMistake(line: 1, column: "file", .encoding, "save it as UTF-8")]
            return
        }
        switch format {
        case .json:
            let reader = PackReader(bytes)
            (questions, unread, mistakes, pack) = (reader.questions, reader.unread, reader.fileMistakes, reader.pack)
        case .quiz:
            let reader = QuizAppReader(bytes)
            (questions, unread, mistakes) = (reader.questions, reader.unread, reader.fileMistakes)
        case .csv:
            let reader = PackTableReader(bytes)
            (questions, unread, mistakes) = (reader.questions, reader.unread, reader.fileMistakes)
        case .gift:
            let reader = GIFTReader(text)
            (questions, unread) = (reader.questions, reader.unread)
        case .aiken:
            let reader = AikenReader(text)
            (questions, unread) = (reader.questions, reader.unread)
        case .anki, .qti, .moodle:
            mistakes = [ImportMistake(line: 1, "file", "", .format, "\(format.rawValue) files cannot be imported")]
        }
        complainIfEmpty()
        // Line breaks in a pack are intended. Other formats only wrap long lines.
        if format != .json {
            questions = questions.map(\.onOneLine)
            for place in unread.indices { unread[place].read = unread[place].read?.onOneLine }
        }
        normalise(decodes: [.quiz, .csv, .aiken].contains(format))
    }

    /// Makes a file of questions that were read before.
    init(_ questions: [ReadQuestion], name: String) {
        (self.name, self.format, self.questions) = (name, .json, questions)
        normalise(decodes: false)
    }

    private mutating func complainIfEmpty() {
        if questions.isEmpty, unread.isEmpty, mistakes.isEmpty {
            mistakes = [ImportMistake(line: 1, column: "file", .noRows, "add at least one question")]
        }
    }

    private mutating func normalise(decodes: Bool) {
        for place in questions.indices { questions[place].normalise(&typography, decodes: decodes) }
        for place in unread.indices { unread[place].read?.normalise(&typography, decodes: decodes) }
    }

    /// Reads XML: Moodle's if its outermost element is `<quiz>`, otherwise an item of QTI.
    public init(_ root: XMLNode, name: String) {
        self.name = name
        if root.name == MoodleReader.root {
            format = .moodle
            let reader = MoodleReader(root)
            (questions, unread, mistakes) = (reader.questions, reader.unread, reader.mistakes)
            complainIfEmpty()
        } else {
            format = .qti
            let isOld = root.name == QTI2.root
            do throws(ImportMistake) {
                questions = [try isOld ? QTI2.question(root) : QTIReader.question(root)]
            } catch {
                let text = root.children(isOld ? "itemBody" : "qti-item-body").first?.text ?? root.text
                unread = [UnreadQuestion(line: root.line, original: text, mistakes: [error])]
            }
        }
        normalise(decodes: false)
    }

    /// Reports a file that is not valid XML.
    ///
    /// - Parameters:
    ///   - what: why it is invalid.
    ///   - line: the line of the mistake, counted from 1.
    public init(notXML what: String, line: Int, name: String) {
        (self.name, self.format) = (name, .qti)
        mistakes = [ImportMistake(line: line, "file", "", .xml, what)]
    }
}
