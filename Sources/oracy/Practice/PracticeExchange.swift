import ArgumentParser
import ExamCore
import FoundationEssentials
import Learning
import Papers
import SystemSupport
import XMLFiles

/// A user's own packs of questions, one file each. Tests draw from them as well as from the packs that come with Oracy.
struct OwnPacks {
    let folder = UserFolders.data + "/packs"

    /// - Throws: `Problem.malformed` with the file and its error.
    func packs() throws(Problem) -> [QuestionPack] {
        var packs: [QuestionPack] = []
        for path in OwnItems.files(in: folder) {
            packs.append(try QuestionPack.read(from: PrivateFile.read(path), name: path))
        }
        return packs
    }

    func write(_ pack: QuestionPack) throws(Problem) {
        try UserFile.write(pack, to: "\(folder)/\(pack.id).json")
    }
}

extension PracticeCommand {
    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import",
            abstract: "Import questions of other programs into your own pack: all of them, or none.",
            discussion: """
                Reads Oracy's packs and lists of quiz apps (.json), tables (.csv), Moodle's GIFT (.gift), Aiken (.txt) \
                and items of QTI 3 (.xml). Mistakes are listed as file:line, column, value, code: what to do. Features \
                that Oracy does not have are refused by name. docs/practice.md describes the formats.
                """)

        @Argument(help: "The files of one pack.")
        var files: [String]

        @Option(help: "json, quiz, csv, gift, aiken or qti. Default: from the files' names and first lines.")
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

        @Flag(help: "Import questions in spite of flaws in their wording, which become notes.")
        var despiteFlaws = false

        enum Source: String, ExpressibleByArgument, CaseIterable {
            case json, quiz, csv, gift, aiken, qti

            var format: PackFormat? { PackFormat(rawValue: rawValue) }
        }

        func run() async throws {
            try await failing {
                var read: [QuestionFile] = []
                for file in files where file.split(separator: "/").last != "imsmanifest.xml" {
                    read.append(try questions(of: file))
                }
                let id = packID(of: read)
                let own = OwnPacks()
                let there = try own.packs()
                let previous = there.first { $0.id == id }
                if QuestionPack.builtIn.contains(where: { $0.id == id }) || (!replace && previous != nil) {
                    throw Problem(
                        .malformed,
                        "\(id): this pack exists; choose another id with --pack, or overwrite yours with --replace"
                    )
                }
                let others = (QuestionPack.builtIn + there).filter { $0.id != id }.flatMap(\.questions)
                let new = try imported(read, into: id, previous, beside: others)
                for flaw in new.flaws { complain("note: \(flaw.sentence)") }
                if !dryRun { try own.write(new.pack) }
                let count = new.pack.questions.count
                print(
                    "\(count.of("question")) \(dryRun ? "would be imported" : "imported") into \(own.folder)/\(id).json"
                        + (previous == nil
                            ? ""
                            : ": \(new.keptCount) kept, \(count - new.keptCount) new, \(new.goneCount) removed")
                )
            }
        }

        private func questions(of file: String) throws(Problem) -> QuestionFile {
            let bytes = try PrivateFile.read(file)
            guard let format = format?.format ?? PackFormat.of(bytes, name: file) else {
                throw Problem(
                    .malformed,
                    "\(file): has an unknown format; name it with --format: \(Source.allCases.map(\.rawValue).spoken)")
            }
            guard format == .qti else { return QuestionFile(bytes, format, name: file) }
            do throws(XMLMistake) { return QuestionFile(try XMLReader.read(bytes), name: file) } catch {
                return QuestionFile(notXML: error.what, line: error.line, name: file)
            }
        }

        /// Returns the pack's own id; otherwise the file's name, or the folder's if items lie in a folder.
        private func packID(of read: [QuestionFile]) -> String {
            if let own = pack { return QuestionTable.label(own) }
            if let own = read.lazy.compactMap({ $0.pack?.id }).first { return own }
            let file = files[0].split(separator: "/").last.map(String.init) ?? files[0]
            let isItem = read.count > 1 || file.hasSuffix(".xml")
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
                    previous: previous, others: others, takesFlaws: despiteFlaws)
            } catch {
                let lines = error.mistakes.map(\.sentence)
                throw Problem(
                    .malformed,
                    (lines + ["\(lines.count.of("mistake")), nothing was imported"]).joined(separator: "\n"))
            }
        }
    }
}
