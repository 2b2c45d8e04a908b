import ArgumentParser
import ExamCore
import Glibc
import Reports
import SessionFolders
import Study
import StudyFolders
import SystemSupport

struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Make an HTML report of an exam: sound, pauses, words, measures and marks.",
        discussion: """
            The page needs no network. It contains the recordings: anyone who has the file can hear them. --vtt, \
            --text-grid and --csv write files for other programs into a folder instead: one for each answer, or \
            answers.csv and pauses.csv.
            """
    )

    @Argument(help: "The session: an id, its beginning, \"last\", or a path.")
    var session: String

    @Option(help: ArgumentHelp("The file to write. Default: report.html in the session's folder.", valueName: "file"))
    var output: String?

    @Option(help: ArgumentHelp("Write WebVTT into this folder, one file for each answer.", valueName: "folder"))
    var vtt: String?

    @Option(
        help: ArgumentHelp("Write TextGrids for Praat into this folder, one file for each answer.", valueName: "folder")
    )
    var textGrid: String?

    @OptionGroup var marking: RulesArguments

    @Option(help: ArgumentHelp("Write answers.csv and pauses.csv into this folder.", valueName: "folder"))
    var csv: String?

    @Flag(help: "Contain the recordings as MP3, for Safari before 18.4. This takes longer.")
    var mp3 = false

    private var exports: [String] { [vtt, textGrid, csv].compactMap(\.self) }

    func validate() throws {
        if output != nil && !exports.isEmpty {
            throw ValidationError("--output is for the page. Leave it out, or leave out --vtt, --text-grid and --csv.")
        }
        if mp3 && !exports.isEmpty {
            throw ValidationError("--mp3 is for the page. Leave it out, or leave out --vtt, --text-grid and --csv.")
        }
    }

    func run() async throws {
        try await failing {
            let shelf = SessionShelf()
            let folder = try shelf.find(session)
            if let output { try OutputFile.checkPlace(output) }
            let content = try await content(of: folder, on: shelf)
            guard exports.isEmpty else {
                try export(content)
                return
            }
            let path = output ?? folder.path + "/report.html"
            try PrivateFile.replace(path, with: Array(ReportPage(content).html.utf8))
            print("The report is \(path)")
        }
    }

    /// Returns the report's content. Recordings that have not been measured yet are measured first.
    ///
    /// - Throws: `Problem`: `missing` if the exam isn't over; `malformed`, `unwritable`.
    private func content(of folder: SessionFolder, on sessions: SessionShelf) async throws(Problem) -> ReportContent {
        guard try folder.readManifest() != nil else {
            throw Problem(
                .missing, "\(folder.name): is not over yet; finish it first: oracy resume \(folder.nameOnShelf)")
        }
        let name = SessionSummary(folder).name(on: sessions)
        let shelf = try FolderShelf.user(sessions, with: folder, makesMP3: mp3)
        return try await ExamDossier.of(folder, on: shelf, by: marking.read())
            .report(from: shelf, withSound: exports.isEmpty) { $0.command(for: name) }
    }

    private func export(_ content: ReportContent) throws(Problem) {
        for folder in exports { try PrivateFile.createFolder(folder) }
        for answer in content.answers where answer.sound != nil {
            let name = answer.record.name
            if let vtt { try write(answer.webVTT, "\(vtt)/\(name).vtt") }
            if let textGrid { try write(answer.textGrid, "\(textGrid)/\(name).TextGrid") }
        }
        if let csv {
            try write(content.answersCSV, "\(csv)/answers.csv")
            try write(content.pausesCSV, "\(csv)/pauses.csv")
        }
        print("Written into \(exports.joined(separator: ", "))")
    }

    private func write(_ text: String, _ path: String) throws(Problem) {
        try PrivateFile.replace(path, with: Array(text.utf8))
    }
}
