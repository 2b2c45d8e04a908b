public import Papers

/// A pack made from the questions of files.
///
/// ```
/// let file = QuestionFile(bytes, .gift, name: "rivers.gift")
/// let new = try PackImport([file], id: "rivers", rigour: .lenient)
/// new.pack.questions    // the good questions
/// new.drafts            // the others, each with what is wrong
/// ```
public struct PackImport: Sendable {
    /// The treatment of questions that are not good.
    public enum Rigour: Sendable {
        /// Either all questions are taken or none, and each has to state all facts and keep to all rules.
        case strict
        /// As strict, but rules of good wording may be broken.
        case strictDespiteFlaws
        /// The good questions are taken, and the others become drafts. Missing facts are filled in, and rules of good
        /// wording may be broken.
        case lenient
    }

    public let pack: QuestionPack
    /// The number of the previous pack's questions that are in the new pack.
    public let keptCount: Int
    /// The number of the previous pack's questions that are not in the new pack.
    public let goneCount: Int
    /// The findings of rules for questions that were taken anyway.
    public let flaws: [PackMistakes.FileMistake]
    /// The questions that were not taken, in the order of their files. Empty if the import is strict.
    public let drafts: [ImportDraft]
    /// The mistakes of the drafts.
    public let draftMistakes: [PackMistakes.FileMistake]
    /// The mistakes that concern no single question. Nothing was taken from that place. Empty if the import is strict.
    public let refused: [PackMistakes.FileMistake]
    /// The changes of the typography of all questions.
    public let typography: Typography
    /// The facts that were filled in.
    public let filled: FilledFacts
    /// The ids of the previous pack's questions whose right answer has changed.
    public let turned: [String]

    /// Makes a pack.
    ///
    /// - Parameters:
    ///   - id: the pack's id.
    ///   - title: the pack's title. By default the one in the files or in the previous pack, or else the id.
    ///   - defaults: the values for facts that the files lack.
    ///   - previous: the pack that this one replaces. Its questions keep their ids.
    ///   - others: the questions of all other packs. Ids must be unique, and no question may be asked twice.
    /// - Throws: if the import is strict, all mistakes of the files. Otherwise, the mistakes of files without
    ///   questions.
    public init(
        _ files: [QuestionFile], id: String, title: String? = nil, defaults: PackDefaults = .init(),
        previous: QuestionPack? = nil, others: [PracticeQuestion] = [], rigour: Rigour = .strict
    ) throws(PackMistakes) {
        var sorting = ImportSorting(files, pack: id, defaults, rigour)
        let identity = sorting.name(previous: previous, others: Set(others.map(\.id)))
        sorting.check(beside: others)

        let wrong = files.map { file in (file.name, file.mistakes) }
        draftMistakes = Self.told(sorting.unread.map { ($0.file.name, $0.unread.mistakes) })
        refused = Self.told(wrong)
        guard rigour == .lenient ? !sorting.isEmpty || refused.isEmpty : draftMistakes.isEmpty && refused.isEmpty else {
            let all = files.map { file in
                (
                    file.name,
                    file.mistakes + sorting.unread.filter { $0.file.name == file.name }.flatMap(\.unread.mistakes)
                )
            }
            throw PackMistakes(mistakes: Self.told(all))
        }
        flaws = Self.told(
            files.map { file in (file.name, sorting.good.filter { $0.file.name == file.name }.flatMap(\.flaws)) })
        drafts = sorting.unread.enumerated().map { number, own in
            ImportDraft(own.unread, number: number + 1, pack: id, file: own.file.name)
        }
        var typography = Typography()
        for file in files { typography.add(file.typography) }
        (self.typography, filled) = (typography, sorting.filled)

        let questions = sorting.good.map(\.question)
        let numbers = files.compactMap { $0.pack?.highestNumber } + [identity].compactMap(\.self)
        pack = QuestionPack(
            id: id, title: title ?? files.lazy.compactMap { $0.pack?.title }.first ?? previous?.title ?? id,
            questions: questions, highestNumber: numbers.max())
        let now = Dictionary(questions.map { ($0.id, $0) }) { first, _ in first }
        keptCount = previous?.questions.count { now[$0.id] != nil } ?? 0
        goneCount = (previous?.questions.count ?? 0) - keptCount
        turned = previous?.questions.filter { now[$0.id]?.isTurned(from: $0) == true }.map(\.id) ?? []
    }

    private static func told(_ mistakes: [(file: String, own: [ImportMistake])]) -> [PackMistakes.FileMistake] {
        mistakes.flatMap { file, own in
            ImportMistakes(own).mistakes.map { PackMistakes.FileMistake(file: file, mistake: $0) }
        }
    }
}
