import ArgumentParser
import ExamCore
import ExamKit
import FoundationEssentials
import Learning
import Papers
import Study
import StudyFolders
import SystemSupport
import XMLFiles

extension PracticeCommand {
    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import",
            abstract: "Import questions of other programs into your own pack, and keep the others as drafts.",
            discussion: """
                Reads Oracy's packs and lists of quiz apps (.json), tables (.csv), Moodle's XML (.xml) and GIFT \
                (.gift), Aiken (.txt) and items of QTI 2 and 3 (.xml). Mistakes are listed as file:line, column, value, \
                code: what to do. Features that Oracy does not have are refused by name. Questions that cannot be \
                taken as they are become drafts: `oracy practice review`. docs/practice.md describes the formats.
                """)

        @Argument(help: "The files of one pack.")
        var files: [String]

        @Option(
            help: """
                The format: json, quiz, csv, xlsx, gift, aiken, moodle or qti. Default: from the files' names and first lines.
                """)
        var format: Source?

        @Option(help: "The pack's id. Default: the id in the file, or the folder's name.")
        var pack: String?

        @Option(help: "The topic of questions without one.")
        var topic: String?

        @Option(help: "The difficulty of questions without one: easy, medium or hard.")
        var difficulty: WantedDifficulty?

        @Option(help: "The explanation of questions without one.")
        var explanation: String?

        @Flag(help: "Show what would be imported, or what is wrong, and change nothing.")
        var dryRun = false

        @Flag(help: "Overwrite your own pack with the same id. Questions that stay keep their ids.")
        var replace = false

        @Flag(help: "Import all questions, or none if one has a mistake, lacks a fact or breaks a rule.")
        var strict = false

        @Flag(help: "With --strict: allow flaws in the wording, which become notes.")
        var despiteFlaws = false

        enum Source: String, ExpressibleByArgument, CaseIterable {
            case json, quiz, csv, xlsx, gift, aiken, moodle, qti

            /// Nil for a workbook: its first bytes show the format.
            var format: PackFormat? { PackFormat(rawValue: rawValue) }
        }

        func run() async throws {
            try await failing {
                var read: [QuestionFile] = []
                for file in files where file.split(separator: "/").last != "imsmanifest.xml" {
                    read += try questions(of: file)
                }
                let id = packID(of: read)
                let own = OwnPacks()
                let there = own.packs()
                // Without `--replace`, an existing pack that cannot be read stops the import.
                let previous = replace ? there.first { $0.id == id } : try own.pack(id)
                if QuestionPack.builtIn.contains(where: { $0.id == id }) || (!replace && previous != nil) {
                    throw Problem(
                        .malformed,
                        "\(id): this pack exists; choose another id with --pack, or overwrite yours with --replace"
                    )
                }
                let others = (QuestionPack.builtIn + there).filter { $0.id != id }.flatMap(\.questions)
                let new = try imported(read, into: id, previous, beside: others)
                tell(new, id)
                if !dryRun { try await keep(new, previous, own) }
                try summarise(new, previous, own)
            }
        }

        /// Stores the pack and the drafts. A pack without a question is not stored.
        private func keep(_ new: PackImport, _ previous: QuestionPack?, _ own: OwnPacks) async throws {
            let shelf = FolderShelf()
            // Open the log first: if another window uses it, no question may change and keep its old progress.
            if !new.turned.isEmpty { try shelf.log.lock() }
            try QuestionDrafts().replace(new.drafts, of: new.pack.id)
            guard !new.pack.questions.isEmpty else { return }
            try own.write(new.pack)
            let memories = new.turned.map { "\(new.pack.id)/\($0)" }
            try await Practising(on: shelf).take(at: .now) { step in
                for memory in memories where step.history.memories[memory] != nil { step.keep(.forgot(memory: memory)) }
            }
        }

        private static let longestList = 20

        /// Prints everything that was changed or left out.
        private func tell(_ new: PackImport, _ id: String) {
            for draft in new.draftMistakes + new.refused { complain("not taken: \(draft.sentence)") }
            for flaw in new.flaws.prefix(Self.longestList) { complain("note: \(flaw.sentence)") }
            let more = new.flaws.count - Self.longestList
            if more > 0 { complain("note: \(more) more such notes; for all of them: oracy practice lint FILE") }
            let topic = self.topic?.lowercased() ?? FilledFacts.topic(ofPack: id)
            for sentence in new.filled.sentences(topic: topic) { complain("note: \(sentence)") }
            if new.typography.total > 0 {
                complain("note: typography was simplified: \(new.typography.sentence)")
            }
            for own in new.turned {
                complain("note: \(own): another answer is right now, so what you learned starts anew")
            }
        }

        /// - Throws: exit code 65 if no question was taken.
        private func summarise(_ new: PackImport, _ previous: QuestionPack?, _ own: OwnPacks) throws {
            let count = new.pack.questions.count
            if count == 0 {
                print(dryRun ? "No question would be imported." : "No question was imported.")
            } else {
                print(
                    "\(count.of("question")) \(dryRun ? "would be imported" : "imported") into "
                        + "\(own.folder)/\(new.pack.id).json"
                        + (previous == nil
                            ? "" : ": \(new.keptCount) kept, \(count - new.keptCount) new, \(new.goneCount) removed"))
            }
            if !new.drafts.isEmpty {
                let drafts = new.drafts.count.of("draft")
                print(
                    dryRun
                        ? "\(drafts) would wait for you to mend them"
                        : "\(drafts) to mend or drop: oracy practice review")
            }
            if count == 0 { throw ExitCode(65) }
        }

        private func questions(of file: String) throws(Problem) -> [QuestionFile] {
            let bytes = try PrivateFile.read(file)
            if Spreadsheet.isOne(bytes) || format == .xlsx {
                let files = try Spreadsheet(bytes, name: file).files(name: file)
                return files.isEmpty ? [QuestionFile([], .csv, name: file)] : files
            }
            guard let format = format?.format ?? PackFormat.of(bytes, name: file) else {
                throw Problem(
                    .malformed,
                    "\(file): has an unknown format; name it with --format: \(Source.allCases.map(\.rawValue).spoken)")
            }
            guard format.isXML else { return [QuestionFile(bytes, format, name: file)] }
            do throws(XMLMistake) { return [QuestionFile(try XMLReader.read(bytes), name: file)] } catch {
                return [QuestionFile(notXML: error.what, line: error.line, name: file)]
            }
        }

        /// Returns the pack's own id; otherwise the file's name, or the folder's if items lie in a folder.
        private func packID(of read: [QuestionFile]) -> String {
            if let own = pack { return QuestionTable.label(own) }
            if let own = read.lazy.compactMap({ $0.pack?.id }).first { return own }
            let file = files[0].split(separator: "/").last.map(String.init) ?? files[0]
            let isItem = files.count > 1 || read.first?.format == .qti
            let folder = files[0].folder.split(separator: "/").last.map(String.init) ?? "questions"
            return QuestionTable.label(isItem ? folder : String(file.prefix { $0 != "." }))
        }

        private func imported(
            _ read: [QuestionFile], into id: String, _ previous: QuestionPack?, beside others: [PracticeQuestion]
        ) throws(Problem) -> PackImport {
            do throws(PackMistakes) {
                return try PackImport(
                    read, id: id,
                    defaults: .init(topic: topic, difficulty: difficulty?.difficulty, explanation: explanation),
                    previous: previous, others: others,
                    rigour: !strict ? .lenient : despiteFlaws ? .strictDespiteFlaws : .strict)
            } catch {
                let lines = error.mistakes.map(\.sentence)
                throw Problem(
                    .malformed,
                    (lines + ["\(lines.count.of("mistake")), nothing was imported"]).joined(separator: "\n"))
            }
        }
    }
}
