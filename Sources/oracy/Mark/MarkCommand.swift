import ArgumentParser
import Assessment
import ExamCore
import FoundationEssentials
import Glibc
import SessionFolders
import StudyFolders
import SystemSupport

struct MarkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mark",
        abstract: "Mark an exam by hand while you listen to it.",
        discussion: """
            Without marks in the options, you listen and mark in the terminal. Other people's marks are hidden until \
            you save yours. Marks are for the whole test, in half bands. Criteria that you leave out stay unmarked, or \
            as you marked them before.
            """
    )

    @Argument(help: "The session: an id, its beginning, \"last\", or a path.")
    var session: String

    @Option(
        name: .customLong("as"),
        help: "Your name or initials. Default: your login name on this machine.")
    var name: String?

    @Option(help: "Fluency and coherence: 0, 0.5 … 9.")
    var fluency: Double?

    @Option(help: "Lexical resource.")
    var vocabulary: Double?

    @Option(help: "Grammatical range and accuracy.")
    var grammar: Double?

    @Option(help: "Pronunciation.")
    var pronunciation: Double?

    @Option(help: "Topic relevance. Not a criterion, and not part of the overall mark.")
    var topic: Double?

    @Option(help: "A comment on a moment: \"part2_q1@12.5: looks for a word\". Repeatable.")
    var comment: [String] = []

    @Flag(help: "Show all marks and the result, once you have marked.")
    var show = false

    @OptionGroup var marking: RulesArguments

    @Flag(help: "Print marks and result as JSON.")
    var json = false

    private var bands: [Criterion: Double] {
        [.fluency: fluency, .vocabulary: vocabulary, .grammar: grammar, .pronunciation: pronunciation]
            .compactMapValues(\.self)
    }

    func run() async throws {
        try await failing {
            let folder = try SessionShelf().find(session)
            let takes = try folder.answersToMark()
            let rules = try marking.read()
            var draft = MarkDraft(marker: Self.marker(name), takes: takes, sheets: try folder.readMarks())
            let isGiven = !bands.isEmpty || topic != nil || !comment.isEmpty
            if isGiven {
                draft.sheet.bands.merge(bands) { $1 }
                draft.sheet.topicRelevance = topic ?? draft.sheet.topicRelevance
                for text in comment { try draft.add(comment: text) }
                try draft.check()
                try folder.keep(draft.signed(at: .now))
                if !json { print("Saved: \(draft.sheet.marker)'s marks of \(folder.name).") }
            } else if !show {
                guard isatty(STDIN_FILENO) == 1 else {
                    throw Problem(
                        .malformed, "cannot ask for marks without a terminal; give them (--fluency 6.5 …), or --show")
                }
                guard try await listen(to: folder, with: draft) else { return }
            } else if !draft.wasSaved {
                throw Problem(
                    .denied,
                    "\(draft.sheet.marker) has not marked \(folder.name) yet; other people's marks are shown after that"
                )
            }
            guard show || json || !isGiven else { return }
            let page = try MarkPage(folder, rules: rules)
            print(json ? JSONText.of(page.report) : page.text, whole: json)
        }
    }

    /// Runs the dialogue until the marker saves or leaves.
    ///
    /// - Returns: Whether marks were saved.
    private func listen(to folder: SessionFolder, with draft: MarkDraft) async throws -> Bool {
        let player = AnswerListening(folder)
        defer { player.close() }
        var desk = MarkDesk(draft, questions: folder.questionTexts)
        print(desk.welcome.joined(separator: "\n"))
        while let line = readLine() {
            let step = desk.handle(line, playingAt: player.place)
            for words in step.say { print(words) }
            if let trouble = step.play.flatMap(player.obey) { print(trouble) }
            switch step.end {
            case .save:
                try folder.keep(desk.draft.signed(at: .now))
                print("Saved.\n")
                return true
            case .leave:
                print("Nothing was saved.")
                return false
            case nil: continue
            }
        }
        print("Nothing was saved.")
        return false
    }

    private static func marker(_ name: String?) -> String {
        (name ?? getenv("USER").map { String(cString: $0) } ?? "").cleaned.trimmingCharacters
    }
}

extension String {
    fileprivate var trimmingCharacters: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}

extension SessionFolder {
    /// The texts of the questions by id; empty if `exam.json` cannot be read.
    fileprivate var questionTexts: [String: String] {
        guard let exam = try? frozenExam() else { return [:] }
        let questions = exam.paper.sections.values.joined().flatMap(\.questions).map { ($0.id, $0.text) }
        return Dictionary(questions) { first, _ in first }
    }
}
