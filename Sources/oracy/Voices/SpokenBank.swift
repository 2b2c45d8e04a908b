import ExamCore
import ExamKit
import Learning
import Papers
import Study
import SystemSupport

/// Everything in English that comes with Oracy and may be spoken: the lines of formats, the questions and cards of the
/// bank, built-in papers, and the sentences of lessons and packs.
enum SpokenBank {
    /// The sentence on which voices are tried, and the word that tries whether one speaks at all.
    static let trial = "Hello. Let us talk about the place where you live."
    static let shortTrial = "Hello."

    /// The name of the file that lists the recordings of a folder, in the format of `sha256sum`.
    static let list = "SHA256SUMS"

    /// Returns the texts, each once and sorted.
    ///
    /// - Throws: Nothing that a caller could cause.
    static func texts() throws(Problem) -> [String] {
        var texts: Set<String> = [trial, shortTrial]
        var formats: [ExamFormat] = []
        for name in ExamFormat.builtInNames {
            let format = try ExamFormat.builtIn(name)
            if format.language?.lowercased().hasPrefix("en") ?? true { formats.append(format) }
        }
        let sections = Set(formats.flatMap(\.parts).flatMap(\.items).compactMap(\.section))
        texts.formUnion(formats.flatMap(\.lines.values).map(\.text))
        texts.formUnion(ItemBank.builtIn.items.filter { sections.contains($0.section) }.flatMap(\.prompts))
        for name in Paper.builtInNames {
            let paper = try Paper.builtIn(name)
            for format in formats {
                guard let script = ExamScript.assemble(format, paper).script else { continue }
                texts.formUnion(script.clips.filter { $0.audio == nil && $0 != .beep }.map(\.text))
            }
        }
        texts.formUnion(QuestionPack.builtIn.flatMap(\.questions).compactMap(\.speech))
        let lessons = LessonCategory.builtIn.flatMap(\.lessons)
        texts.formUnion(lessons.flatMap(\.items).flatMap(\.sentences))
        return texts.filter { !$0.isEmpty }.sorted()
    }
}
