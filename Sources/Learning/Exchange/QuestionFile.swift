import Papers
public import SystemSupport

/// What a file says of questions, and what is wrong in it; a reader a format.
public struct QuestionFile: Sendable {
    /// How it is called in a message: its path.
    public let name: String
    /// What a pack says of itself; nil in other formats.
    public private(set) var pack: QuestionPack?
    let format: PackFormat
    private(set) var questions: [ReadQuestion] = []
    private(set) var mistakes: [ImportMistake] = []

    /// Reads a file of any format but QTI's, which is XML and read elsewhere.
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
            mistakes = [ImportMistake(line: 1, "file", "", .format, "\(format.rawValue) is not read here")]
        }
        if questions.isEmpty, mistakes.isEmpty {
            mistakes = [ImportMistake(line: 1, column: "file", .noRows, "give it a question at least")]
        }
        // A pack says what it means; others break lines where they are full.
        if format != .json { questions = questions.map(\.onOneLine) }
    }

    /// Reads an item of QTI 3.
    public init(_ item: XMLNode, name: String) {
        (self.name, self.format) = (name, .qti)
        do throws(ImportMistake) { questions = [try QTIReader.question(item)] } catch { mistakes = [error] }
    }

    /// A file that is no XML.
    ///
    /// - Parameters:
    ///   - line: where it stops being XML, counted from 1.
    ///   - what: why it is none.
    public init(notXML what: String, line: Int, name: String) {
        (self.name, self.format) = (name, .qti)
        mistakes = [ImportMistake(line: line, "file", "", .xml, what)]
    }
}
