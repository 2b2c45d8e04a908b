import ArgumentParser
import Backends
import ExamCore
import ExamKit
import Glibc
import SystemSupport

struct TemplatesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "templates",
        abstract: "List, fetch or save the exams that your backend offers.",
        discussion: """
            Exams come from the destination that you set with `oracy uploads to`: an Oracy backend, a Supabase project \
            or an API of signed addresses. You can sit a fetched exam without a network: oracy run --template NAME.
            """,
        subcommands: [List.self, Fetch.self, Save.self],
        defaultSubcommand: List.self
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the exams that are offered.")

        @Flag(help: "Print the list as JSON.")
        var json = false

        func run() async throws {
            try await failing {
                let home = UploadsHome()
                let destination = try home.chosenDestination()
                let listing = try await home.templates(of: destination).templates()
                if let offline = listing.offline {
                    complain("\(offline); this list was fetched \(listing.askedAt.ago)")
                }
                if json {
                    print(JSONText.of(listing.templates.map(Report.init)), whole: true)
                } else if listing.templates.isEmpty {
                    print("\(destination.place) offers no exams to this user.")
                } else {
                    for template in listing.templates {
                        print((template.title + (template.difficulty.map { " (\($0))" } ?? "")).cleaned)
                        let about = template.description.map { $0.cleaned.wrapped(to: terminalColumns - 4) } ?? []
                        for line in about + [template.id.name] { print("  " + line) }
                    }
                    print("\nTo sit one: oracy run --template NAME")
                }
            }
        }

        private struct Report: Encodable {
            var id, title: String
            var difficulty, description: String?

            init(_ template: ExamTemplate) {
                id = template.id.name
                title = template.title
                difficulty = template.difficulty
                description = template.description
            }
        }
    }

    struct Fetch: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "fetch",
            abstract: "Fetch an exam with its recordings, so that you can sit it without a network.")

        @Argument(help: "The exam's title, the beginning of it, or its id.")
        var template: String

        func run() async throws {
            try await failing {
                let (exam, prepared) = try await TemplateFetch(template).checked()
                let answers = prepared.script.turns.count { $0.answer != nil }
                print(
                    "\"\(exam.template.title.cleaned)\": \(prepared.script.parts.count) parts, up to \(answers.of("answer"))"
                )
            }
        }
    }

    struct Save: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "save",
            abstract: "Write an exam into a folder as format.json, paper.json and recordings, for replays.")

        @Argument(help: "The exam's title, the beginning of it, or its id.")
        var template: String

        @Argument(help: "The folder, created if needed. Files with these names are replaced.")
        var folder: String

        func run() async throws {
            try await failing {
                let (exam, prepared) = try await TemplateFetch(template).checked()
                try PrivateFile.createFolder(folder, mode: 0o777)
                let recordings = Set(prepared.script.clips.compactMap(\.audio)).sorted()
                for clip in recordings {
                    let copy = clip.path(in: folder)
                    try PrivateFile.createFolder(copy.folder, mode: 0o777)
                    try PrivateFile.replace(copy, with: PrivateFile.read(clip.path(in: exam.folder)), mode: 0o666)
                }
                try PrivateFile.replace("\(folder)/format.json", with: JSONFile.encode(prepared.format), mode: 0o666)
                try PrivateFile.replace("\(folder)/paper.json", with: JSONFile.encode(prepared.paper), mode: 0o666)
                print("\(folder): format.json, paper.json and \(recordings.count.of("recording"))")
            }
        }
    }
}

/// Fetches a template of the configured destination with a progress bar, and prints its warnings.
struct TemplateFetch {
    private let name: String

    init(_ name: String) {
        self.name = name
    }

    func exam() async throws -> TemplateLibrary.Exam {
        let home = UploadsHome()
        let destination = try home.chosenDestination()
        let library = try home.templates(of: destination)
        let bar = FetchBar()
        let name = name
        let exam = try await Stoppable.run { () async throws -> TemplateLibrary.Exam in
            try await library.exam(name) { bar.show($0) }
        }
        bar.end()
        if let offline = exam.offline {
            complain("warning: \(offline); these questions were fetched \(exam.askedAt.ago)")
        }
        for warning in exam.warnings { complain("warning: \(warning)") }
        return exam
    }

    /// Fetches the template and decodes every recording to its end.
    func checked() async throws -> (TemplateLibrary.Exam, PreparedExam) {
        let exam = try await exam()
        let format = try exam.format ?? .givenQuestions(for: exam.paper)
        let prepared = try await PreparedExam(format, exam.paper, folders: [exam.folder])
        for warning in prepared.warnings { complain("warning: \(warning)") }
        return (exam, prepared)
    }
}

/// The progress of fetching recordings: on standard error, and only in a terminal.
private struct FetchBar: Sendable {
    private let isTerminal = isatty(STDERR_FILENO) == 1

    func show(_ progress: TemplateLibrary.Progress) {
        guard isTerminal, progress.of > 0 else { return }
        let bar = UploadsFrame.bar(Double(progress.recordings) / Double(progress.of), width: 30)
        put("\r[\(bar)] \(progress.recordings) of \(progress.of.of("recording")), \(progress.byteCount.bytes) fetched")
    }

    func end() {
        if isTerminal { put("\r\u{1b}[K") }
    }

    private func put(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }
}

extension WallTime {
    /// The time since then: `3 days ago`.
    fileprivate var ago: String {
        let seconds = max(WallTime.now.secondsSince1970 - secondsSince1970, 0)
        if seconds < 120 { return "just now" }
        if seconds < 7_200 { return "\(seconds / 60) minutes ago" }
        return seconds < 172_800 ? "\(seconds / 3_600) hours ago" : "\(seconds / 86_400) days ago"
    }
}
