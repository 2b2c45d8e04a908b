import Papers
public import SystemSupport

/// The questions and mistakes in a file. Each format has its own reader.
public struct QuestionFile: Sendable {
    /// The file's name in messages: its path.
    public let name: String
    /// The pack's own facts. Nil for other formats.
    public private(set) var pack: QuestionPack?
    let format: PackFormat
    private(set) var questions: [ReadQuestion] = []
    private(set) var mistakes: [ImportMistake] = []

    /// Reads a file of any format except QTI, which is XML and has its own initializer.
    public init(_ bytes: [UInt8], _ format: PackFormat, name: String) {
        (self.name, self.format) = (name, format)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            mistakes = [ImportMistake(line: 1, column: "file", .encoding, "save it as UTF-8")]
            return
        }
        switch format {
        case .json:
            let reader = PackReader(bytes)
            (questions, mistakes, pack) = (reader.questions, reader.mistakes, reader.pack)
        case .quiz:
            let reader = QuizAppReader(bytes)
            (questions, mistakes) = (reader.questions, reader.mistakes)
        case .csv:
            let reader = PackTableReader(bytes)
            (questions, mistakes) = (reader.questions, reader.mistakes)
        case .gift:
            let reader = GIFTReader(text)
            (questions, mistakes) = (reader.questions, reader.mistakes)
        case .aiken:
            let reader = AikenReader(text)
            (questions, mistakes) = (reader.questions, reader.mistakes)
        case .anki, .qti:
            mistakes = [ImportMistake(line: 1, "file", "", .format, "\(format.rawValue) files cannot be imported")]
        }
        if questions.isEmpty, mistakes.isEmpty {
            mistakes = [ImportMistake(line: 1, column: "file", .noRows, "add at least one question")]
        }
        // Line breaks in a pack are intended. Other formats break lines that are full.
        if format != .json { questions = questions.map(\.onOneLine) }
    }

    /// Reads a QTI 3 item.
    public init(_ item: XMLNode, name: String) {
        (self.name, self.format) = (name, .qti)
        do throws(ImportMistake) { questions = [try QTIReader.question(item)] } catch { mistakes = [error] }
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
