import Papers
import SystemSupport

/// A form in which questions with keys come from other programs, or go to them.
public enum PackFormat: String, CaseIterable, Sendable {
    /// A pack of Oracy's: `QuestionPack`.
    case json
    /// A list of choices as quiz apps keep it: `question`, `options`, `answerIndex`, `explanation`.
    case quiz
    case csv, gift, aiken
    /// Notes of Anki: written, and not read.
    case anki
    case qti

    /// What a file is, by the end of its name and by what it begins with.
    ///
    /// - Returns: nil where neither says it.
    public static func of(_ bytes: [UInt8], name: String) -> PackFormat? {
        switch name.split(separator: ".").last?.lowercased() {
        case "csv", "tsv": return .csv
        case "gift": return .gift
        case "xml": return .qti
        case "json": return isPack(bytes) ? .json : .quiz
        default: break
        }
        let text = String(decoding: bytes, as: UTF8.self)
        let lines = text.importLines.map(\.trimmed)
        if lines.contains(where: { $0.hasPrefix("#separator:") }) { return .anki }
        if JSONSyntax.mistake(in: bytes) == nil { return isPack(bytes) ? .json : .quiz }
        if text.trimmedStart.hasPrefix("<") { return .qti }
        if lines.contains(where: { AikenReader.answer(in: $0) != nil }) { return .aiken }
        if lines.contains(where: { $0.contains("{") || $0.hasPrefix("::") }) { return .gift }
        let columns = lines.first { !$0.isEmpty }?.lowercased().split { ",;\t".contains($0) } ?? []
        return columns.contains { $0.trimmed == "prompt" } ? .csv : nil
    }

    /// A pack says which version of its layout it has; a list of another program's says none.
    private static func isPack(_ bytes: [UInt8]) -> Bool {
        guard bytes.first(where: { !" \t\r\n".utf8.contains($0) }) == UInt8(ascii: "{") else { return false }
        let places = JSONSyntax.mistake(in: bytes) == nil && !JSONDepth.isTooDeep(bytes) ? JSONPlaces(bytes) : nil
        // Of what is no JSON nobody can tell.
        return places?["version"] != nil || places?["title"] != nil || places == nil
    }
}

extension StringProtocol {
    /// Lines as Unix, Windows or an old Mac end them.
    var importLines: [SubSequence] {
        split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
    }

    fileprivate var trimmedStart: SubSequence { drop { $0.isWhitespace || $0 == "\u{FEFF}" } }
}
