import ArgumentParser
import FoundationEssentials
import Glibc
import StudyFolders
import SystemSupport

/// The files of a learner's practice: the log, and tests.
enum PracticeFiles {
    /// The paths relative to the user's data folder.
    static var names: [String] {
        let tests = (try? FileManager.default.contentsOfDirectory(atPath: UserFolders.data + "/practice-tests")) ?? []
        let log = access(log, F_OK) == 0 ? ["practice.log"] : []
        return log + tests.sorted().map { "practice-tests/\($0)" }
    }

    static var log: String { path("practice.log") }

    static func path(_ name: String) -> String { UserFolders.data + "/" + name }
}

extension PracticeCommand {
    struct Copy: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "copy",
            abstract: "Copy your practice log and tests into a folder that only you can read.")

        @Argument(help: "A folder that is empty or does not exist.")
        var folder: String

        func run() async throws {
            try await failing {
                let there = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
                guard there.isEmpty else {
                    throw Problem(.occupied, "\(folder): is not empty; name an empty or new folder")
                }
                let names = PracticeFiles.names
                guard !names.isEmpty else { throw Problem(.missing, "you have not practised yet") }
                try PrivateFile.createFolder(folder + "/practice-tests")
                for name in names {
                    try PrivateFile.replace("\(folder)/\(name)", with: PrivateFile.read(PracticeFiles.path(name)))
                }
                print("\(names.count.of("file")) in \(folder)")
            }
        }
    }

    struct Erase: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "erase",
            abstract: "Erase your practice log and tests permanently, with mastery, streak and statistics.",
            discussion: "Your own packs and recordings stay. To erase recordings: oracy sessions erase")

        @Flag(help: "Do not ask for confirmation.")
        var yes = false

        func validate() throws {
            if !yes && isatty(STDIN_FILENO) == 0 {
                throw ValidationError("Cannot ask for confirmation without a terminal. Add --yes to erase permanently.")
            }
        }

        func run() async throws {
            try await failing {
                let names = PracticeFiles.names
                guard !names.isEmpty else { return print("There is nothing to erase.") }
                guard try Asking.agrees("Permanently erase \(names.count.of("file")) of your practice?", yes: yes)
                else {
                    return print("Nothing was erased.")
                }
                // A running drill would write the log again.
                let log = PracticeLog()
                try log.lock()
                for name in names {
                    let path = PracticeFiles.path(name)
                    let sha256 = try PrivateFile.digest(path).sha256
                    guard unlink(path) == 0 else { throw PrivateFile.unwritable(path) }
                    print("erased  \(name)  \(sha256)")
                }
                withExtendedLifetime(log) {}
            }
        }
    }
}
