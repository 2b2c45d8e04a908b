import ArgumentParser
import ExamCore
import ExamKit
import FoundationEssentials
import Learning
import Papers
import SystemSupport
import XMLFiles

/// A user's own packs of questions, a file each: tests are drawn from them beside what comes with Oracy.
struct OwnPacks {
    let folder = UserFolders.data + "/packs"

    /// - Throws: `Problem.malformed` with the file and what is wrong in it.
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
            abstract: "Take questions into a pack of your own: all of them, or none.",
            discussion: """
                Reads packs of Oracy's (.json), and items of QTI 3 (.xml) that are a choice of one in plain words; anything else in an item is \
                refused by its name. docs/practice.md has both.
                """)

        @Argument(help: "Files: one pack, or items of QTI 3.")
        var files: [String]

        @Option(help: "The pack's id. Default: that of the file or its folder.")
        var pack: String?

        @Option(help: "The topic of items that do not say theirs.")
        var topic: String?

        @Option(help: "How hard items are that do not say it: easy, medium or hard.")
        var difficulty: WantedDifficulty?

        @Option(help: "What explains the answers of items that do not explain theirs.")
        var explanation: String?

        @Flag(help: "Only say what would come, or what is wrong.")
        var dryRun = false

        @Flag(help: "Write over a pack of your own with the same id.")
        var replace = false

        func run() async throws {
            try await failing {
                let new = try read()
                let own = OwnPacks()
                let there = try own.packs()
                if QuestionPack.builtIn.contains(where: { $0.id == new.id })
                    || (!replace && there.contains { $0.id == new.id })
                {
                    throw Problem(
                        .malformed,
                        "\(new.id): there is such a pack; --pack gives it another id, and --replace writes over one of your own"
                    )
                }
                let others = (QuestionPack.builtIn + there).filter { $0.id != new.id }.flatMap(\.questions)
                if let twin = new.questions.first(where: { question in others.contains { $0.id == question.id } }) {
                    throw Problem(.malformed, "\(twin.id): is a question's id in another pack; ids are unique")
                }
                let flaws = new.findings(beside: others)
                guard flaws.isEmpty else {
                    let lines = flaws.map { "\($0.id): \($0.finding.sentence)".cleaned }
                    throw Problem(
                        .malformed,
                        (lines + ["\(lines.count.of("flaw")), nothing was imported"]).joined(separator: "\n"))
                }
                if !dryRun { try own.write(new) }
                print(
                    "\(new.questions.count.of("question")) \(dryRun ? "would come" : "came") into \(own.folder)/\(new.id).json"
                )
            }
        }

        private func read() throws(Problem) -> QuestionPack {
            if files.count == 1, files[0].hasSuffix(".json") {
                var pack = try QuestionPack.read(from: PrivateFile.read(files[0]), name: files[0])
                pack.id = self.pack ?? pack.id
                return pack
            }
            let defaults = QTIItem.Defaults(
                topic: topic, difficulty: difficulty?.difficulty, explanation: explanation)
            var questions: [PracticeQuestion] = []
            for file in files where file.split(separator: "/").last != "imsmanifest.xml" {
                guard file.hasSuffix(".xml") else {
                    throw Problem(
                        .malformed, "\(file): is neither a pack (.json, by itself) nor an item of QTI 3 (.xml)")
                }
                let item = try XMLReader.read(PrivateFile.read(file), name: file)
                questions.append(try QTIItem.question(item, name: file, defaults: defaults))
            }
            let id = pack ?? files[0].folder.split(separator: "/").last.map(String.init) ?? "questions"
            return try QuestionPack.read(
                from: JSONFile.encode(QuestionPack(id: id, title: id, questions: questions)), name: id)
        }
    }

    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "A pack as files for other programs: items of QTI 3, or JSON.")

        @Argument(help: "A pack's id: spoken-english, or one of your own.")
        var pack: String

        @Option(help: "qti or json.")
        var format = PackFormat.json

        @Option(help: "The folder for them. Default: this one.")
        var output = "."

        enum PackFormat: String, ExpressibleByArgument, CaseIterable { case qti, json }

        func run() async throws {
            try await failing {
                guard let found = try (QuestionPack.builtIn + OwnPacks().packs()).first(where: { $0.id == pack }) else {
                    throw Problem(.missing, "\(pack): there is no pack of that id")
                }
                try PrivateFile.createFolder(output)
                guard format == .qti else {
                    try PrivateFile.replace("\(output)/\(found.id).json", with: JSONFile.encode(found))
                    return print("\(output)/\(found.id).json")
                }
                var count = 0
                for question in found.questions {
                    guard let text = QTIItem.text(of: question) else { continue }
                    try PrivateFile.replace("\(output)/\(question.id).xml", with: Array(text.utf8))
                    count += 1
                }
                print("\(count.of("item")) in \(output)")
                if count < found.questions.count {
                    complain("note: \(found.questions.count - count) questions are no choice, and are left out.")
                }
            }
        }
    }
}
