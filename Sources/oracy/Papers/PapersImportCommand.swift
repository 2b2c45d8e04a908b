import ArgumentParser
import Glibc
import Papers
import SystemSupport

struct PapersImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import items from CSV or JSON into your own bank: all of them, or none.",
        discussion: """
            Mistakes are listed as file:line, column, value, code: what to do. `oracy papers lint` uses the same \
            rules. docs/formats-and-papers.md lists the columns. For an example: oracy papers export --topic rain
            """)

    @Argument(help: "A table with one question a row, or JSON: an item or a list of items.")
    var file: String

    @Flag(help: "Show what would be imported, or what is wrong, and change nothing.")
    var dryRun = false

    @Flag(help: "Overwrite your own items that have the same ids.")
    var replace = false

    func run() async throws {
        try await failing {
            let desk = PaperDesk()
            let bank = try desk.bank()
            let own = Set(try OwnItems(in: desk.folder).items.map(\.id))
            let items = try imported(of: file, otherwise: "nothing was imported") { bytes throws(ImportMistakes) in
                try ItemImport(bytes, into: bank, own: own, replacing: replace).items
            }
            if !dryRun { try Self.keep(items, in: desk.folder) }
            let replaced = items.count { own.contains($0.id) }
            print(
                "\(items.count.of("item")) \(dryRun ? "would be imported into" : "imported into") \(desk.folder)"
                    + (replaced > 0 ? ", \(replaced) replaced" : "") + ": "
                    + items.map(\.id).joined(separator: ", "))
        }
    }

    /// Writes complete files under temporary names first, so that a full disk leaves none behind.
    private static func keep(_ items: [BankItem], in folder: String) throws(Problem) {
        try PrivateFile.createFolder(folder)
        func part(_ item: BankItem) -> String { "\(folder)/.\(item.id).importing" }
        do throws(Problem) {
            for item in items { try PrivateFile.replace(part(item), with: JSONFile.encode(item)) }
            for item in items { try PrivateFile.move(part(item), to: "\(folder)/\(item.id).json") }
        } catch {
            for item in items { unlink(part(item)) }
            throw error
        }
    }
}

/// Reads the content of a file.
///
/// - Parameter otherwise: The end of the message if the file is invalid: what was done instead.
/// - Throws: `Problem.malformed` with every mistake, one per line.
func imported<Value>(
    of file: String, otherwise: String, _ read: ([UInt8]) throws(ImportMistakes) -> Value
) throws(Problem) -> Value {
    let bytes = try PrivateFile.read(file)
    do throws(ImportMistakes) {
        return try read(bytes)
    } catch {
        let lines = error.mistakes.map { $0.sentence(in: file) }
        throw Problem(
            .malformed, (lines + ["\(lines.count.of("mistake")), \(otherwise)"]).joined(separator: "\n"))
    }
}
