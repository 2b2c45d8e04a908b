import ArgumentParser
import Papers
import Reports
import SystemSupport

struct PapersExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Export items as a spreadsheet table or JSON. `oracy papers import` reads both.")

    @Option(help: "Only items with this id or keyword. Repeatable.")
    var topic: [String] = []

    @Flag(help: "Only your own items.")
    var own = false

    @Option(help: "The format: csv or json.")
    var format = ItemsFormat.csv

    @Option(help: "The file to write. Default: standard output.")
    var output: String?

    enum ItemsFormat: String, ExpressibleByArgument, CaseIterable { case csv, json }

    func run() async throws {
        try await failing {
            let desk = PaperDesk()
            let topics = Set(topic.map { $0.lowercased() })
            let items = try (own ? OwnItems(in: desk.folder).items : desk.bank().items).filter { item in
                topics.isEmpty || topics.contains(item.id) || !topics.isDisjoint(with: item.about.keywords)
            }
            guard !items.isEmpty else {
                throw Problem(.missing, "no \(own ? "item of yours" : "item") has that id or keyword")
            }
            guard format == .csv else { return try keep(JSONText.of(items) + "\n", in: output) }
            let held = items.filter(ItemTable.holds)
            guard !held.isEmpty else {
                throw Problem(
                    .malformed,
                    "a table cannot hold pictures, passages, alternatives or other languages; use --format json")
            }
            try keep(CSVText.text(ItemTable.rows(of: held)), in: output)
            if held.count < items.count {
                complain(
                    "note: left out \(items.count - held.count) items that a table cannot hold; use --format json."
                )
            }
        }
    }
}

/// Writes a text to a file, or to standard output if `file` is nil.
func keep(_ text: String, in file: String?) throws(Problem) {
    guard let file else { return try OutputFile.print(text) }
    try OutputFile.checkPlace(file)
    try OutputFile.replace(file, with: text)
}
