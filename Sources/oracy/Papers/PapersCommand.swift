import ArgumentParser
import ExamCore
import ExamKit
import FoundationEssentials
import Papers
import SystemSupport

struct PapersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "papers",
        abstract: "Papers, and the bank of questions that they are drawn from.",
        discussion:
            "`oracy run` draws a paper each time, with nothing in it of your last exams as long as the bank allows.",
        subcommands: [
            List.self, Show.self, New.self, Review.self, Models.self, Lint.self, PapersImportCommand.self,
            PapersExportCommand.self, PaperOfQuestionsCommand.self,
        ], defaultSubcommand: List.self
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "What can be drawn, and the papers that are always the same.")

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
                if json { return print(JSONText.of(items)) }
                guard !items.isEmpty else {
                    throw Problem(.missing, "no item has the keyword or id \"\(topic ?? "")\"")
                }
                let bySection = Dictionary(grouping: items, by: \.section)
                for (section, own) in bySection.sorted(by: { $0.key < $1.key }) {
                    print("\(section): \(own.count.of("item"))")
                    let rows = own.map {
                        [$0.id, $0.about.difficulty.rawValue, $0.about.keywords.joined(separator: " ")]
                    }
                    for line in ([["ID", "DIFFICULTY", "KEYWORDS"]] + rows).columns(shrinking: 2) { print("  \(line)") }
                    print()
                }
                if topic == nil { print("always the same: \(Paper.builtInNames.joined(separator: ", "))") }
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "The questions of a paper or an item.")

        @Argument(help: "A built-in paper, an item's id, or a .json file of a paper.")
        var name: String

        func run() async throws {
            try await failing {
                if let item = try PaperDesk().bank()[name] { return print(PaperText.of(item)) }
                let paper = try name.hasSuffix(".json") ? Paper(file: name) : .builtIn(name)
                print(PaperText.of(paper))
            }
        }
    }

    struct New: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "new",
            abstract: "Draw papers from the bank, as files; or have a model write items for your bank.",
            discussion: """
                The same bank, wishes and --seed draw the same papers, byte for byte. With --from ollama or openai a model writes items on \
                each --topic in turn: what passes all rules waits for `oracy papers review`.
                """)

        @Option(help: "A built-in format or a .json file.")
        var format = "ielts-style"

        @OptionGroup var wishes: PaperArguments

        @OptionGroup var writing: WritingArguments

        @Option(help: "Chance begins with this number. Default: any.")
        var seed: UInt64?

        @Option(help: "How many, 1 to 1,000; none has an item of another one as long as the bank allows.")
        var count = 1

        @Option(help: "The folder for them. Default: this one.")
        var output = "."

        func validate() throws {
            guard (1...1_000).contains(count) else { throw ValidationError("--count is 1 to 1,000.") }
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
                    for shortfall in drawn.shortfalls { complain("note: \(shortfall)") }
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
            abstract: "Look for flaws in items: yes-or-no questions, two questions in one, near-duplicates …",
            discussion: "Ends with 65 where it finds one. docs/formats-and-papers.md has the rules.")

        @Argument(help: "Files of items. Default: your own bank's.")
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
                print("\(items.count.of("item")), \(count == 0 ? "no flaw" : count.of("flaw"))")
                if count > 0 { throw ExitCode(65) }
            }
        }

        private func ownFiles() throws -> [String] {
            let folder = PaperDesk().folder
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            let files = names.filter { $0.hasSuffix(".json") }.sorted().map { "\(folder)/\($0)" }
            if files.isEmpty { throw Problem(.missing, "\(folder): there are no items of your own; name files") }
            return files
        }
    }
}
