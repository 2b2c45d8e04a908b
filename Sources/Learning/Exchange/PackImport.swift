import Papers

/// A pack made from the questions of files. Either all questions are taken or none.
///
/// ```
/// let new = try PackImport([QuestionFile(bytes, .gift, name: "rivers.gift")], id: "rivers", defaults: .init(difficulty: .easy))
/// ```
public struct PackImport: Sendable {
    public let pack: QuestionPack
    /// The number of the previous pack's questions that are in the new pack.
    public let keptCount: Int
    /// The number of the previous pack's questions that are not in the new pack.
    public let goneCount: Int
    /// The findings of rules for questions that were taken anyway. Empty unless the caller allows flaws.
    public let flaws: [PackMistakes.FileMistake]

    /// Makes a pack.
    ///
    /// - Parameters:
    ///   - id: the pack's id.
    ///   - title: the pack's title. By default the one in the files or in the previous pack, or else the id.
    ///   - defaults: the values for facts that the files lack.
    ///   - previous: the pack that this one replaces. Its questions keep their ids.
    ///   - others: the questions of all other packs. Ids must be unique, and no question may be asked twice.
    ///   - takesFlaws: whether to take questions that break rules of good wording.
    public init(
        _ files: [QuestionFile], id: String, title: String? = nil, defaults: PackDefaults = .init(),
        previous: QuestionPack? = nil, others: [PracticeQuestion] = [], takesFlaws: Bool = false
    ) throws(PackMistakes) {
        var mistakes = files.map(\.mistakes)
        var flaws = Array(repeating: [ImportMistake](), count: files.count)
        var asked: [(file: Int, read: ReadQuestion, question: PracticeQuestion)] = []
        for (file, read) in files.enumerated().flatMap({ file, own in own.questions.map { (file, $0) } }) {
            mistakes[file] += read.missing(defaults)
            guard let question = read.question(defaults) else { continue }
            if let fault = question.keyFault {
                mistakes[file].append(ImportMistake(line: read.line, fault.field, question.prompt, .key, fault.what))
            } else {
                asked.append((file, read, question))
            }
        }
        let identity = QuestionIdentity(
            asked.map { ($0.read, $0.question) }, in: id, previous: previous, others: Set(others.map(\.id)))
        for (place, own) in identity.ids.enumerated() { asked[place].question.id = own }

        var taken = Set(others.map(\.id))
        var known = KnownQuestions(others)
        for (file, read, question) in asked {
            if !taken.insert(question.id).inserted {
                mistakes[file].append(
                    ImportMistake(
                        line: read.line, column: "id", value: question.id, .taken,
                        "another question has this id: give it another one"))
            }
            for finding in question.findings + known.duplicates(of: question) {
                let mistake = files[file].format.mistake(finding, in: question, read.line)
                if takesFlaws, !Self.needed.contains(finding.rule) {
                    flaws[file].append(mistake)
                } else {
                    mistakes[file].append(mistake)
                }
            }
            known.add(question)
        }
        let found = Self.told(mistakes, of: files)
        guard found.isEmpty else { throw PackMistakes(mistakes: found) }
        self.flaws = Self.told(flaws, of: files)

        let numbers = files.compactMap { $0.pack?.highestNumber } + [identity.highestNumber].compactMap { $0 }
        pack = QuestionPack(
            id: id, title: title ?? files.lazy.compactMap { $0.pack?.title }.first ?? previous?.title ?? id,
            questions: asked.map(\.question), highestNumber: numbers.max())
        let ids = Set(asked.map(\.question.id))
        keptCount = previous?.questions.count { ids.contains($0.id) } ?? 0
        goneCount = (previous?.questions.count ?? 0) - keptCount
    }

    /// The rules that a question must meet for the program and terminals to handle it. The other rules concern its
    /// wording.
    private static let needed = Set([QuestionRule.label, .plainText, .options].map(\.id))

    private static func told(_ mistakes: [[ImportMistake]], of files: [QuestionFile]) -> [PackMistakes.FileMistake] {
        zip(files, mistakes).flatMap { file, own in
            ImportMistakes(own).mistakes.map { PackMistakes.FileMistake(file: file.name, mistake: $0) }
        }
    }
}

extension PackFormat {
    /// Returns a rule's finding as a mistake on the question's first line.
    fileprivate func mistake(_ finding: ItemFinding, in question: PracticeQuestion, _ line: Int) -> ImportMistake {
        let value =
            switch finding.field {
            case "id": question.id
            case "topic": question.topic
            default: question.texts.first { $0.field == finding.field }?.text ?? ""
            }
        return ImportMistake(
            line: line, column: self == .csv ? PackTable.column(of: finding.field) : finding.field, value: value,
            rule: finding.rule, finding.what)
    }
}
