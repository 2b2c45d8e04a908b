import Papers
import SystemSupport

/// A file format in which questions with keys are exchanged with other programs.
public enum PackFormat: String, CaseIterable, Sendable {
    /// An Oracy pack: `QuestionPack`.
    case json
    /// A list of multiple-choice questions as quiz apps store it: `question`, `options`, `answerIndex`, `explanation`.
    case quiz
    case csv, gift, aiken
    /// Notes for Anki. Oracy writes this format but does not read it.
    case anki
    case qti
    /// Moodle XML.
    case moodle

    /// Whether its files are XML, which `XMLReader` reads first.
    public var isXML: Bool { self == .qti || self == .moodle }

    /// The treatment of features by its reader. Nil for a format that is not read.
    public var contract: ImportContract? {
        switch self {
        case .json: PackReader.contract
        case .quiz: QuizAppReader.contract
        case .csv: PackTable.contract
        case .gift: GIFTReader.contract
        case .aiken: AikenReader.contract
        case .qti: QTIContract.contract
        case .moodle: MoodleContract.contract
        case .anki: nil
        }
    }

    /// Determines a file's format from the extension of its name and from its first bytes.
    ///
    /// - Returns: nil if neither identifies the format.
    public static func of(_ bytes: [UInt8], name: String) -> PackFormat? {
        switch name.split(separator: ".").last?.lowercased() {
        case "csv", "tsv": return .csv
        case "gift": return .gift
        case "json": return isPack(bytes) ? .json : .quiz
        case "xml": return of(rootOf: String(decoding: bytes, as: UTF8.self))
        default: break
        }
        let text = String(decoding: bytes, as: UTF8.self)
        let lines = text.importLines.map(\.trimmed)
        if lines.contains(where: { $0.hasPrefix("#separator:") }) { return .anki }
        if JSONSyntax.mistake(in: bytes) == nil { return isPack(bytes) ? .json : .quiz }
        if text.trimmedStart.hasPrefix("<") { return of(rootOf: text) }
        if lines.contains(where: { AikenReader.answer(in: $0) != nil }) { return .aiken }
        if lines.contains(where: { $0.contains("{") || $0.hasPrefix("::") }) { return .gift }
        let columns = lines.first { !$0.isEmpty }?.lowercased().split { ",;\t".contains($0) } ?? []
        return columns.contains { $0.trimmed == "prompt" } ? .csv : nil
    }

    /// Returns the format of XML by its outermost element, before which declarations and comments may stand.
    private static func of(rootOf text: String) -> PackFormat {
        var rest = text[...]
        while let begin = rest.firstIndex(of: "<") {
            rest = rest[begin...].dropFirst()
            let end = rest.hasPrefix("!--") ? "-->" : ">"
            guard rest.first == "?" || rest.first == "!" else { break }
            guard let range = rest.firstRange(of: end) else { break }
            rest = rest[range.upperBound...]
        }
        return rest.prefix { !$0.isWhitespace && $0 != ">" && $0 != "/" } == MoodleReader.root ? .moodle : .qti
    }

    /// Returns whether JSON is an Oracy pack. A pack states its layout version or title, and another program's list has
    /// neither.
    private static func isPack(_ bytes: [UInt8]) -> Bool {
        guard bytes.first(where: { !" \t\r\n".utf8.contains($0) }) == UInt8(ascii: "{") else { return false }
        let places = JSONSyntax.mistake(in: bytes) == nil && !JSONDepth.isTooDeep(bytes) ? JSONPlaces(bytes) : nil
        // Invalid JSON counts as a pack, so that its mistakes are reported.
        return places?["version"] != nil || places?["title"] != nil || places == nil
    }
}

extension StringProtocol {
    /// The lines of a text with line ends of Unix, Windows or old Macs.
    var importLines: [SubSequence] {
        split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
    }

    fileprivate var trimmedStart: SubSequence { drop { $0.isWhitespace || $0 == "\u{FEFF}" } }
}
