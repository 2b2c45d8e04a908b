import ArgumentParser
import ExamCore
import ExamKit
import FoundationEssentials
import Papers
import SystemSupport

struct PapersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "papers",
        abstract: "List, draw, write, check and exchange papers and the questions of the bank.",
        discussion:
            """
            `oracy run` draws a new paper each time. It avoids the questions of your last exams while the bank \
            allows.
            """,
        subcommands: [
            List.self, Show.self, New.self, Review.self, Models.self, Lint.self, PapersImportCommand.self,
            PapersExportCommand.self, PaperOfQuestionsCommand.self,
        ], defaultSubcommand: List.self
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the items of the bank and the built-in papers.")

        @Option(help: "Only items with this keyword or id.")
        var topic: String?

        @Flag(help: "Print JSON, for programs.")
        var json = false

        func run() async throws {
            try await failing {
                let bank = try PaperDesk().bank()
                let items =
                    topic.map { topic in
                        bank.items.filter {
                            $0.id == topic.lowercased() || $0.about.keywords.contains(topic.lowercased())
                        }
                    } ?? bank.items
                if json { return print(JSONText.of(items), whole: true) }
                guard !items.isEmpty else {
                    throw Problem(.missing, "no item has the keyword or id \"\(topic ?? "")\"")
                }
                let bySection = Dictionary(grouping: items, by: \.section)
                for (section, own) in bySection.sorted(by: { $0.key < $1.key }) {
                    print("\(section): \(own.count.of("item"))")
                    let rows = own.map {
                        [$0.id, $0.about.difficulty.rawValue, $0.about.keywords.joined(separator: " ")]
                    }
                    for line in ([["ID", "DIFFICULTY", "KEYWORDS"]] + rows).columns(shrinking: 2, indent: 2) {
                        print(line)
                    }
                    print()
                }
                if topic == nil { print("built-in papers: \(Paper.builtInNames.joined(separator: ", "))") }
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show the questions of a paper or an item.")

        @Argument(help: "A built-in paper, an item's id, or a paper's .json file.")
        var name: String

        @Flag(help: "Also show model answers to an item's questions, at three levels.")
        var answers = false

        func run() async throws {
            try await failing {
                if let item = try PaperDesk().bank()[name] { return print(PaperText.of(item, withAnswers: answers)) }
                let paper = try name.hasSuffix(".json") ? Paper(file: name) : .builtIn(name)
                print(PaperText.of(paper))
            }
        }
    }

    struct New: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "new",
            abstract: "Draw papers from the bank, or have a model write items for your own bank.",
            discussion: """
                The same bank, options and --seed draw the same papers, byte for byte. With --from ollama or openai, a \
                model writes items on each --topic in turn. Items that pass all rules wait for `oracy papers review`.
                """)

        @Option(help: "A built-in format or a .json file.")
        var format = "ielts-style"

        @OptionGroup var wishes: PaperArguments

        @OptionGroup var writing: WritingArguments

        @Option(help: "The number that random choices start from. Default: random.")
        var seed: UInt64?

        @Option(help: "How many papers, 1 to 1,000. They share no items while the bank allows.")
        var count = 1

        @Option(help: "The folder for the papers. Default: the current one.")
        var output = "."

        func validate() throws {
            guard (1...1_000).contains(count) else { throw ValidationError("--count must be between 1 and 1,000.") }
        }

        func run() async throws {
            try await failing {
                if writing.source.isWanted { return try await write() }
                let format = try self.format.hasSuffix(".json") ? ExamFormat(file: self.format) : .builtIn(self.format)
                let bank = try PaperDesk().bank()
                try PrivateFile.createFolder(output)
                let seed = seed ?? .random(in: 0...UInt64(UInt32.max))
                var seen: [SeenItem] = []
                for number in 0..<UInt64(count) {
                    let request = wishes.request(for: format, seed: seed &+ number)
                    let drawn = try PaperDesk.draw(request, for: format, from: bank, seen: seen)
                    seen =
                        seen.map { SeenItem(item: $0.item, days: $0.days + 1) }
                        + drawn.items.map { SeenItem(item: $0, days: 1) }
                    let path = "\(output)/\(drawn.paper.id).json"
                    try PrivateFile.replace(path, with: JSONFile.encode(drawn.paper))
                    let minutes = max(1, Int((drawn.seconds / 60).rounded()))
                    print("\(path)  \(drawn.paper.title), about \(minutes.of("minute"))")
                    for shortfall in drawn.shortfalls { complain("note: \(shortfall.sentence)") }
                }
            }
        }

        private func write() async throws {
            let model =
                writing.source.resume
                ? try PaperWriting(resuming: writing)
                : try PaperWriting(writing, about: wishes, seed: seed ?? .random(in: 0...UInt64(UInt32.max)))
            try await model.run()
        }
    }

    struct Lint: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "lint",
            abstract: "Check items for flaws: yes-or-no questions, double questions, near-duplicates …",
            discussion: "Exits with code 65 if there are flaws. docs/formats-and-papers.md lists the rules.")

        @Argument(help: "Files of items. Default: your own bank.")
        var files: [String] = []

        func run() async throws {
            try await failing {
                var items: [BankItem] = []
                var count = 0
                for file in files.isEmpty ? try ownFiles() : files {
                    let item = try ItemBank.item(from: PrivateFile.read(file), name: file)
                    items.append(item)
                    for finding in item.findings {
                        count += 1
                        print("\(file): \(finding.sentence)")
                    }
                }
                let ids = Set(items.map(\.id))
                let all = try ItemBank(ItemBank.builtIn.items.filter { !ids.contains($0.id) } + items)
                for twin in all.duplicates(of: ids) {
                    count += 1
                    print(
                        "\(twin.item): \(twin.field): duplicate: \"\(twin.text)\" is nearly \(twin.otherItem)'s \(twin.otherField)"
                    )
                }
                print("\(items.count.of("item")), \(count == 0 ? "no flaws" : count.of("flaw"))")
                if count > 0 { throw ExitCode(65) }
            }
        }

        private func ownFiles() throws -> [String] {
            let folder = PaperDesk().folder
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            let files = names.filter { $0.hasSuffix(".json") }.sorted().map { "\(folder)/\($0)" }
            if files.isEmpty { throw Problem(.missing, "\(folder): has no items; name the files to check") }
            return files
        }
    }
}
