import Papers

/// The questions of files on their way into a pack: those that are good so far, and those that are not.
struct ImportSorting {
    /// A question that is complete and can be answered.
    struct Good {
        var file: QuestionFile
        var read: ReadQuestion
        var question: PracticeQuestion
        /// The findings of rules that the import does not insist on.
        var flaws: [ImportMistake] = []
    }

    private(set) var good: [Good] = []
    private(set) var unread: [(file: QuestionFile, unread: UnreadQuestion)] = []
    private(set) var filled = FilledFacts()
    private let pack: String
    private let rigour: PackImport.Rigour

    var isEmpty: Bool { good.isEmpty && unread.isEmpty }

    init(_ files: [QuestionFile], pack: String, _ defaults: PackDefaults, _ rigour: PackImport.Rigour) {
        (self.pack, self.rigour) = (pack, rigour)
        for file in files {
            unread += file.unread.map { (file, $0) }
            for read in file.questions {
                let read = rigour == .lenient ? filled.complete(read, defaults, pack: pack) : read
                guard let question = read.question(defaults) else {
                    unread.append((file, UnreadQuestion(line: read.line, read: read, mistakes: read.missing(defaults))))
                    continue
                }
                if let fault = question.importFault {
                    let mistake = ImportMistake(line: read.line, fault.field, question.prompt, .key, fault.what)
                    unread.append((file, UnreadQuestion(line: read.line, read: read, mistakes: [mistake])))
                } else {
                    good.append(Good(file: file, read: read, question: question))
                }
            }
        }
    }

    /// Gives all good questions their ids.
    ///
    /// - Returns: the highest number that was ever given.
    mutating func name(previous: QuestionPack?, others: Set<String>) -> Int? {
        let identity = QuestionIdentity(
            good.map { ($0.read, $0.question) }, in: pack, previous: previous, others: others)
        for (place, own) in identity.ids.enumerated() { good[place].question.id = own }
        return identity.highestNumber
    }

    /// Sorts out the questions that break a rule, share an id or are asked already.
    mutating func check(beside others: [PracticeQuestion]) {
        var taken = Set(others.map(\.id))
        let words = good.map { KnownQuestions.words($0.question) }
        let known = others.map { KnownQuestions.words($0) }
        var index = LikenessIndex(expecting: known + words)
        var names = others.map(\.id)
        var texts = known
        for own in known { index.add(own) }
        let all = good
        good = []
        for (var own, words) in zip(all, words) {
            var problems: [ImportMistake] = []
            let question = own.question
            if !taken.insert(question.id).inserted {
                problems.append(
                    ImportMistake(
                        line: own.read.line, column: "id", value: question.id, .taken,
                        "another question has this id: give it another one"))
            }
            func sort(_ finding: ItemFinding, isProblem: Bool) {
                let mistake = own.file.format.mistake(finding, in: question, own.read.line)
                if isProblem { problems.append(mistake) } else { own.flaws.append(mistake) }
            }
            for finding in question.findings {
                sort(finding, isProblem: rigour == .strict || Self.needed.contains(finding.rule))
            }
            if let twin = index.duplicates(of: words).first {
                let finding = DraftRule.duplicate.finding("prompt", "is nearly \(names[twin])'s")
                let isSame = rigour == .lenient && texts[twin] == words && !words.isEmpty
                sort(finding, isProblem: rigour == .strict || isSame)
            }
            if problems.isEmpty {
                good.append(own)
            } else {
                unread.append((own.file, UnreadQuestion(line: own.read.line, read: own.read, mistakes: problems)))
            }
            guard problems.isEmpty || rigour != .lenient else { continue }
            index.add(words)
            names.append(question.id)
            texts.append(words)
        }
    }

    /// The rules that a question must meet for the program and terminals to handle it. The other rules concern its
    /// wording.
    private static let needed = Set([QuestionRule.label, .plainText, .options].map(\.id))
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
