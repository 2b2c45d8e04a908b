import ArgumentParser
import ExamCore
import SessionFolders
import StudyFolders

struct SessionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions",
        abstract: "List, show, export or erase sessions, and set how long they are kept.",
        discussion: """
            SESSION is a session's id, the beginning of one, "last" for the newest exam, or the path of its folder \
            (with a "/").
            """,
        subcommands: [List.self, Show.self, Export.self, EraseCommand.self, RetentionCommand.self],
        defaultSubcommand: List.self
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List all sessions, newest first.")

        @Flag(help: "Print the list as JSON.")
        var json = false

        func run() async throws {
            let shelf = SessionShelf()
            let sessions = shelf.list()
            if json {
                print(JSONText.of(sessions.map(SessionReport.init)), whole: true)
            } else if sessions.isEmpty {
                print("There are no sessions in \(shelf.path).")
            } else {
                print(SessionsCommand.table(sessions).joined(separator: "\n"))
                for session in sessions {
                    if case .broken(let sentence) = session.state { complain(sentence) }
                }
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show a session's answers, and how to listen to them or continue.")

        @Argument(help: "The session: an id, its beginning, \"last\", or a path.")
        var session: String

        @Flag(help: "Print the session as JSON.")
        var json = false

        func run() async throws {
            try await failing {
                let shelf = SessionShelf()
                let session = SessionSummary(try shelf.find(self.session))
                var report = SessionReport(session)
                report.takes = session.takes
                print(
                    json ? JSONText.of(report) : SessionsCommand.page(session, on: shelf).joined(separator: "\n"),
                    whole: json)
            }
        }
    }

    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Copy a session into a folder that only you can read.")

        @Argument(help: "The session: an id, its beginning, \"last\", or a path.")
        var session: String

        @Argument(help: "A folder that is empty or does not exist.")
        var folder: String

        @Flag(help: "Also write the answers as WAV.")
        var wav = false

        @Flag(help: "Print the list of files as JSON.")
        var json = false

        func run() async throws {
            try await failing {
                let shelf = SessionShelf()
                let session = try shelf.find(self.session)
                let export = try shelf.export(session, to: folder, wav: wav)
                if json {
                    print(JSONText.of(Report(id: session.name, folder: folder, export)), whole: true)
                } else {
                    let count = export.files.count.of("file")
                    print("\(session.name) is in \(folder): \(count), \(export.byteCount.bytes)")
                }
            }
        }

        private struct Report: Encodable {
            var id: String
            var folder: String
            var files: [String]
            var byteCount: Int

            init(id: String, folder: String, _ export: SessionExport) {
                self.id = id
                self.folder = folder
                (files, byteCount) = (export.files, export.byteCount)
            }
        }
    }

    static func table(_ sessions: [SessionSummary]) -> [String] {
        // The start and the format are part of the id.
        var rows = [["session", "exam", "state", "answers", "speech"]]
        for session in sessions {
            let (answers, speech) = (String(session.takes.count), session.speech.clock)
            rows.append([session.id, session.choice, session.state.words, answers, speech])
        }
        return rows.columns(right: 3...4, shrinking: 1)
    }

    private static func page(_ session: SessionSummary, on shelf: SessionShelf) -> [String] {
        var lines = [session.id, ""]
        if !session.takes.isEmpty { lines += Summary.table(session.takes) + [""] }
        let answers = session.takes.count.of("answer")
        lines.append("\(session.state.words); \(answers) with \(session.speech.clock) of speech")
        if case .broken(let sentence) = session.state { lines.append("problem  \(sentence)") }
        if !session.began.isEmpty { lines.append("began    \(session.began)") }
        if !session.heldWith.isEmpty { lines.append("exam     \(session.heldWith)") }
        lines.append("session  \(session.folder.path) (\(session.byteCount.bytes))")
        if case .resumable = session.state { lines.append("go on    oracy resume \(session.name(on: shelf))") }
        if let longest = session.takes.max(by: { $0.speech.duration < $1.speech.duration }) {
            lines.append("listen   paplay \("\(session.folder.path)/\(longest.file)".quotedForShell)")
        }
        return lines
    }
}
