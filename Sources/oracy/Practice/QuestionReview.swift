import ArgumentParser
import Glibc
import Learning
import SystemSupport

extension PracticeCommand {
    struct Review: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "review",
            abstract: "Review imported questions that were not taken: mend and keep them, or drop them.",
            discussion: """
                In a terminal, shows one draft after the other and asks. Otherwise, without --keep or --drop, shows \
                the drafts and changes nothing. To mend a draft, edit its file.
                """)

        @Argument(help: "A draft's id. Default: all of them.")
        var id: String?

        @Flag(help: "Keep this draft: add it to its pack.")
        var keep = false

        @Flag(help: "Drop this draft.")
        var drop = false

        func validate() throws {
            if keep && drop { throw ValidationError("Use either --keep or --drop.") }
            if keep || drop, id == nil { throw ValidationError("Name the draft to keep or drop.") }
        }

        func run() async throws {
            try await failing {
                let shelf = QuestionDrafts()
                let drafts = try shelf.drafts().filter { id == nil || $0.id == id }
                guard let first = drafts.first else {
                    throw Problem(
                        .missing,
                        id.map { "\($0): there is no such draft; `oracy practice review` shows yours" }
                            ?? "there are no drafts: oracy practice import took every question")
                }
                if keep { return try kept(first, shelf) }
                if drop { return try dropped(first, shelf) }
                let isAsked = isatty(STDIN_FILENO) == 1
                for draft in drafts {
                    for line in QuestionDraftText.lines(of: draft, file: shelf.file(draft)) { print(line.cleaned) }
                    guard isAsked else { continue }
                    guard try look(at: draft, shelf) else { return }
                }
            }
        }

        /// - Returns: Whether the user wants to see the next draft.
        private func look(at draft: ImportDraft, _ shelf: QuestionDrafts) throws -> Bool {
            while true {
                print("Keep it? y: keep, n: drop, s: next, q: quit and decide later: ", terminator: "")
                fflush(nil)
                switch readLine()?.lowercased() {
                case "y", "yes":
                    do throws(Problem) {
                        // The user may have mended the file meanwhile.
                        let path = shelf.file(draft)
                        try kept(try ImportDraft.read(from: PrivateFile.read(path), name: path), shelf)
                        return true
                    } catch { complain(error.sentence) }
                case "n", "no":
                    try dropped(draft, shelf)
                    return true
                case "s", "next": return true
                case "q", "quit", nil: return false
                default: continue
                }
            }
        }

        private func kept(_ draft: ImportDraft, _ shelf: QuestionDrafts) throws(Problem) {
            for note in try shelf.keep(draft) { complain("note: \(note)".cleaned) }
            print("\(draft.id) is in the pack \(draft.pack) now.".cleaned)
        }

        private func dropped(_ draft: ImportDraft, _ shelf: QuestionDrafts) throws(Problem) {
            try shelf.drop(draft)
            print("\(draft.id) was dropped.".cleaned)
        }
    }
}

/// A draft in words: the question as a learner would meet it, its key, what is wrong, and the original.
enum QuestionDraftText {
    static func lines(of draft: ImportDraft, file: String) -> [String] {
        let question = draft.question
        var lines = ["== \(draft.id), from \(draft.source)"]
        lines.append(question.prompt ?? "(no prompt was read)")
        if let key = question.multipleChoice {
            for (place, option) in key.options.enumerated() {
                lines.append("  \(place == key.correct ? "*" : " ") \(place). \(option)")
            }
        }
        if let key = question.fillInTheBlank { lines.append("  * \(key.accepted.joined(separator: " / "))") }
        if let key = question.calculation {
            lines.append("  * \(key.value)" + (key.tolerance.map { " ± \($0)" } ?? ""))
        }
        if let key = question.spoken { lines.append("  * \(key.speech) seconds of speech") }
        if let explanation = question.explanation { lines.append("  \(explanation)") }
        lines += [""] + draft.problems
        if let original = draft.original {
            lines += ["", "In the file:"] + original.split(separator: "\n").map { "  \($0)" }
        }
        return lines + ["", "To mend it: \(file)", ""]
    }
}
