import AddOns
import ArgumentParser
import SystemSupport

struct WordsStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show what is installed, where, and under which licences.")

    @Flag(help: "Read all files, and compare them with what was installed.")
    var check = false

    func run() async throws {
        try await failing {
            guard let words = InstalledWords.find() else {
                print(
                    """
                    The recogniser is not installed.
                      oracy words install    writes down what you say, on this machine (138 MB to fetch, 85 MB on the disk)
                    """, whole: true)
                return
            }
            print(Self.lines(words).joined(separator: "\n"), whole: true)
            if check {
                try words.check()
                print("All files are as they were installed.")
            }
        }
    }

    /// Returns the lines about an installation.
    static func lines(_ words: InstalledWords) -> [String] {
        let list = words.list
        let names = [
            "library": "recogniser", "model": "model", "phones": "phones, for the times of words",
            "grammar": "grammar checker",
        ]
        return [
            "Whisper \(words.modelName), \(list.byteCount.bytes), installed on \(list.at.prefix(10)) from \(list.source)",
            "folder  \(words.folder)",
        ]
            + list.parts.flatMap { part in
                part.origins.map { "\(names[part.name] ?? part.name): \($0.title) (\($0.licence))" }
            }
            + (words.phones == nil
                ? ["phones: not installed, so the times of words are rough (oracy words install --phones)"] : [])
    }
}
