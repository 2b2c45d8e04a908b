import ArgumentParser
import Glibc
import Papers
import SystemSupport

extension PapersCommand {
    struct Review: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "review",
            abstract: "Review a model's drafts: keep them in your own bank, or drop them.",
            discussion: """
                In a terminal, shows one draft after the other and asks. Otherwise, without --keep or --drop, shows \
                the drafts and changes nothing.
                """)

        @Argument(help: "A draft's id. Default: all of them.")
        var id: String?

        @Flag(help: "Keep this draft.")
        var keep = false

        @Flag(help: "Drop this draft.")
        var drop = false

        func validate() throws {
            if keep && drop { throw ValidationError("Use either --keep or --drop.") }
            if keep || drop, id == nil { throw ValidationError("Name the draft to keep or drop.") }
        }

        func run() async throws {
            try await failing {
                let shelf = DraftShelf()
                let drafts = try shelf.drafts().filter { id == nil || $0.item.id == id }
                guard !drafts.isEmpty else {
                    throw Problem(
                        .missing,
                        id.map { "\($0): there is no such draft; `oracy papers review` shows yours" }
                            ?? "there are no drafts; have some written with oracy papers new --from ollama")
                }
                if keep { return try kept(drafts[0], shelf) }
                if drop { return try dropped(drafts[0], shelf) }
                let isAsked = isatty(STDIN_FILENO) == 1
                for draft in drafts {
                    try show(draft, shelf)
                    guard isAsked else { continue }
                    guard try look(at: draft, shelf) else { return }
                }
            }
        }

        private func show(_ draft: DraftShelf.Draft, _ shelf: DraftShelf) throws {
            print("== \(draft.item.id)".cleaned)
            for line in PaperText.of(draft.item).split(separator: "\n", omittingEmptySubsequences: false) {
                print(String(line).cleaned)
            }
            let findings = try shelf.findings(draft)
            print(
                findings.isEmpty
                    ? "\nno flaws\n" : "\n" + findings.map(\.sentence.cleaned).joined(separator: "\n") + "\n")
        }

        /// - Returns: Whether the user wants to see the next draft.
        private func look(at draft: DraftShelf.Draft, _ shelf: DraftShelf) throws -> Bool {
            while true {
                print("Keep it? y: keep, n: drop, q: quit and decide later: ", terminator: "")
                fflush(nil)
                switch readLine()?.lowercased() {
                case "y", "yes":
                    try kept(draft, shelf)
                    return true
                case "n", "no":
                    try dropped(draft, shelf)
                    return true
                case "q", "quit", nil: return false
                default: continue
                }
            }
        }

        private func kept(_ draft: DraftShelf.Draft, _ shelf: DraftShelf) throws {
            try shelf.keep(draft)
            print("\(draft.item.id) is in your bank now, and can be drawn for your papers.")
        }

        private func dropped(_ draft: DraftShelf.Draft, _ shelf: DraftShelf) throws {
            try shelf.drop(draft)
            print("\(draft.item.id) was dropped.".cleaned)
        }
    }
}
