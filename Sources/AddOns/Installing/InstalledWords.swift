import Glibc
package import SystemSupport

/// The recogniser that `oracy words install` has set up: the places of its library and its model.
package struct InstalledWords: Equatable, Sendable {
    package let folder: String
    package let list: Installation
    /// The path of libwhisper. The libraries that it needs are beside it.
    package let library: String
    /// The path of the model.
    package let model: String
    /// `base` or `tiny.en`.
    package let modelName: String
    /// The folder with `libhama.so`, `asr_waveform.hama` and `cmudict.dict`; nil if phones were not installed.
    package let phones: String?
    /// The folder of the Python package `harper`; nil if the grammar checker was not installed.
    package let grammar: String?

    /// The file that a recogniser locks while it holds the model.
    package var lock: String { folder + "/words.lock" }

    /// The folder of the user's installation.
    package static var folder: String { UserFolders.environment("ORACY_WORDS") ?? UserFolders.data + "/words" }

    /// Finds the user's installation, otherwise the machine's. Returns nil if there is none, or if some of its files
    /// are missing.
    package static func find() -> InstalledWords? {
        let folder = folder
        AddOnInstaller.recover(folder)
        return InstalledWords(in: folder) ?? InstalledWords(in: "/usr/share/oracy/words")
    }

    /// Reads the installation in a folder. Returns nil if there is none, or if some of its files are missing.
    package init?(in folder: String) {
        guard let list = Installation.find(in: folder),
            let library = list["library"]?.files.first(where: { $0.path.hasPrefix("library/libwhisper") }),
            let model = list["model"]?.files.first
        else { return nil }
        self.folder = folder
        self.list = list
        self.library = "\(folder)/\(library.path)"
        self.model = "\(folder)/\(model.path)"
        modelName = String(model.path.dropFirst("model/ggml-".count).prefix { $0 != "-" })
        phones = list["phones"].map { _ in folder + "/phones" }
        grammar = list["grammar"].map { _ in folder + "/grammar" }
    }

    /// - Throws: `Problem.malformed` with the first file that has changed. Reads everything.
    package func check() throws(Problem) {
        if let path = list.damage(in: folder) {
            throw Problem(.malformed, "\(folder)/\(path): has changed since it was installed; run oracy words install")
        }
    }
}
