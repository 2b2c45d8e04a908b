import AddOns
import ArgumentParser
import Glibc
import SystemSupport

struct WordsRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove the recogniser. Words that were written down stay.")

    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    func validate() throws {
        if !yes && isatty(STDIN_FILENO) == 0 {
            throw ValidationError("Cannot ask without a terminal. Add --yes to remove.")
        }
    }

    func run() async throws {
        try await failing {
            let folder = InstalledWords.folder
            if !yes {
                tell("Remove the recogniser in \(folder)? (y/n) ")
                guard ["y", "yes"].contains(readLine()?.lowercased()) else {
                    print("Nothing was removed.")
                    return
                }
            }
            print(try AddOnInstaller.remove(folder) ? "Removed." : "The recogniser is not installed.")
        }
    }
}
