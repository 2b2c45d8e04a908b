import SystemSupport

/// The voices that `oracy voices install` has set up.
package struct InstalledVoices: Equatable, Sendable {
    package let folder: String
    package let list: Installation
    /// The names of the Python programs to try, for which the packages were made. The more certain name comes first.
    private let pythons: [String]

    /// The folder of the user's installation.
    package static var folder: String { UserFolders.data + "/voice" }

    /// Finds the user's installation. Returns nil if there is none, or if some of its files are missing.
    package static func find() -> InstalledVoices? {
        AddOnInstaller.recover(folder)
        return InstalledVoices(in: folder)
    }

    /// Reads the installation in a folder. Returns nil if there is none, or if some of its files are missing.
    package init?(in folder: String) {
        guard let list = Installation.find(in: folder), let hibari = list["hibari"] else { return nil }
        self.folder = folder
        self.list = list
        let python = VoiceChoice.Python.allCases.first { python in
            hibari.origins.contains { $0.sha256 == AddOnList.files["numpy-\(python.digits)"]?.sha256 }
        }
        pythons = (python.map { ["python\($0.rawValue)"] } ?? []) + ["python3"]
    }

    /// Whether the British voice Pico is installed, too.
    package var hasPico: Bool { list["pico"] != nil }

    /// Returns the command that speaks with a voice: text on standard input, WAV on standard output.
    ///
    /// - Parameter voice: `heart`, `pico`, or the path of a voice file.
    package func command(_ voice: String) -> [String] {
        let python = pythons.first { SpawnedProgram.path(of: $0) != nil } ?? "python3"
        return [python, "-I", "\(folder)/voice.py", voice]
    }
}
