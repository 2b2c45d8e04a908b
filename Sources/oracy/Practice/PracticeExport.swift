import ArgumentParser
import Learning
import Reports
import SessionFolders
import Study
import StudyFolders
import SystemSupport

extension PracticeCommand {
    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Export a pack for other programs: a table, Moodle XML, GIFT, Anki notes, QTI 3, or JSON.",
            discussion:
                "`oracy practice import` reads all formats except Anki's. A note tells what a format cannot hold."
        )

        @Argument(help: "A pack's id: spoken-english, or your own pack.")
        var pack: String

        @Option(help: "The format: json, csv, moodle, gift, anki or qti.")
        var format = Target.json

        @Option(help: "The folder for the files. Default: the current one.")
        var output = "."

        enum Target: String, ExpressibleByArgument, CaseIterable { case json, csv, moodle, gift, anki, qti }

        func run() async throws {
            try await failing {
                // If the pack's file has a mistake, report that instead of a missing pack.
                _ = try OwnPacks().pack(pack)
                let content = FolderShelf().practiceContent(with: try SessionShelf().mendedSentences())
                guard let found = content.packs.first(where: { $0.id == pack }) else {
                    throw Problem(.missing, "\(pack): there is no pack with that id; `oracy practice packs` lists them")
                }
                let files = PackFiles(found, format)
                try PrivateFile.createFolder(output)
                for (name, bytes) in files.files { try PrivateFile.replace("\(output)/\(name)", with: bytes) }
                // In QTI, every item is a file by itself.
                print(
                    format == .qti
                        ? "\(files.files.count.of("item")) in \(output)" : "\(output)/\(files.files[0].name)")
                let left = found.questions.count - files.questionCount
                if left > 0 {
                    complain(
                        "note: left out \(left.of("question")) that \(format.rawValue) cannot hold; use --format json."
                    )
                }
            }
        }
    }
}

/// A pack as files of an export format.
private struct PackFiles {
    let files: [(name: String, bytes: [UInt8])]
    /// The number of its questions that the format can represent.
    let questionCount: Int

    init(_ pack: QuestionPack, _ format: PracticeCommand.Export.Target) {
        let questions = pack.questions
        func file(_ ending: String, _ text: String) -> [(name: String, bytes: [UInt8])] {
            [("\(pack.id).\(ending)", Array(text.utf8))]
        }
        switch format {
        case .csv: (files, questionCount) = (file("csv", CSVText.text(PackTable.rows(of: questions))), questions.count)
        case .moodle:
            (files, questionCount) = (
                file("xml", MoodleXMLText.text(of: pack)), questions.count(where: MoodleXMLText.holds)
            )
        case .gift:
            (files, questionCount) = (file("gift", GIFTText.text(of: pack)), questions.count(where: GIFTText.holds))
        case .anki:
            (files, questionCount) = (
                file("anki.txt", AnkiNotes.text(of: pack)), questions.count(where: AnkiNotes.holds)
            )
        case .qti:
            files = questions.compactMap { question in
                QTIItem.text(of: question).map { ("\(question.id).xml", Array($0.utf8)) }
            }
            questionCount = files.count
        case .json:
            (files, questionCount) = ([("\(pack.id).json", JSONFile.encode(pack))], questions.count)
        }
    }
}
